; Intrinsics that no C says, as functions.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare i32 @llvm.sshl.sat.i32(i32, i32)
declare i32 @llvm.ushl.sat.i32(i32, i32)
declare i32 @llvm.scmp.i32.i32(i32, i32)
declare i32 @llvm.ucmp.i32.i32(i32, i32)
declare i32 @llvm.fptosi.sat.i32.f64(double)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.arithmetic.fence.f64(double)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare i32 @llvm.get.rounding()
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.and.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.smin.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)
declare i32 @llvm.vector.reduce.umin.v4i32(<4 x i32>)

define i32 @sshl_sat(i32 %a, i32 %b) {
  %r = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @ushl_sat(i32 %a, i32 %b) {
  %r = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @scmp(i32 %a, i32 %b) {
  %r = call i32 @llvm.scmp.i32.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @ucmp(i32 %a, i32 %b) {
  %r = call i32 @llvm.ucmp.i32.i32(i32 %a, i32 %b)
  ret i32 %r
}

define i32 @fptosi_sat(double %a) {
  %r = call i32 @llvm.fptosi.sat.i32.f64(double %a)
  ret i32 %r
}

define i32 @fptoui_sat(double %a) {
  %r = call i32 @llvm.fptoui.sat.i32.f64(double %a)
  ret i32 %r
}

define double @minimum(double %a, double %b) {
  %r = call double @llvm.minimum.f64(double %a, double %b)
  ret double %r
}

define double @maximum(double %a, double %b) {
  %r = call double @llvm.maximum.f64(double %a, double %b)
  ret double %r
}

define double @fmuladd(double %a, double %b, double %c) {
  %r = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %r
}

define double @arithmetic_fence(double %a) {
  %r = call double @llvm.arithmetic.fence.f64(double %a)
  ret double %r
}

@text = private unnamed_addr constant [2 x i8] c"x\00"

define i32 @annotation(i32 %a) {
  %r = call i32 @llvm.annotation.i32.p0(i32 %a, ptr @text, ptr @text, i32 1)
  ret i32 %r
}

define ptr @ptr_annotation(ptr %a) {
  %r = call ptr @llvm.ptr.annotation.p0.p0(ptr %a, ptr @text, ptr @text, i32 1, ptr null)
  ret ptr %r
}

define ptr @launder(ptr %a) {
  %r = call ptr @llvm.launder.invariant.group.p0(ptr %a)
  ret ptr %r
}

define ptr @strip(ptr %a) {
  %r = call ptr @llvm.strip.invariant.group.p0(ptr %a)
  ret ptr %r
}

define i32 @invariant(ptr %a) {
  %start = call ptr @llvm.invariant.start.p0(i64 4, ptr %a)
  %r = load i32, ptr %a
  call void @llvm.invariant.end.p0(ptr %start, i64 4, ptr %a)
  ret i32 %r
}

define void @nothing() {
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  ret void
}

define i32 @rounding() {
  %r = call i32 @llvm.get.rounding()
  ret i32 %r
}

define i32 @reduce(i32 %which, ptr %from) {
  %v = load <4 x i32>, ptr %from, align 4
  %add = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  %mul = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %v)
  %and = call i32 @llvm.vector.reduce.and.v4i32(<4 x i32> %v)
  %or = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %v)
  %xor = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %v)
  %smax = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %v)
  %smin = call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> %v)
  %umax = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %v)
  %umin = call i32 @llvm.vector.reduce.umin.v4i32(<4 x i32> %v)
  switch i32 %which, label %a [ i32 1, label %b
                                i32 2, label %c
                                i32 3, label %d
                                i32 4, label %e
                                i32 5, label %f
                                i32 6, label %g
                                i32 7, label %h
                                i32 8, label %i ]
a:
  ret i32 %add
b:
  ret i32 %mul
c:
  ret i32 %and
d:
  ret i32 %or
e:
  ret i32 %xor
f:
  ret i32 %smax
g:
  ret i32 %smin
h:
  ret i32 %umax
i:
  ret i32 %umin
}

declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)
declare double @llvm.exp10.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @llvm.ldexp.f64.i32(double, i32)

define i16 @convert_to_fp16(float %a) {
  %r = call i16 @llvm.convert.to.fp16.f32(float %a)
  ret i16 %r
}

define float @convert_from_fp16(i16 %a) {
  %r = call float @llvm.convert.from.fp16.f32(i16 %a)
  ret float %r
}

define double @intrinsic_exp10(double %a) {
  %r = call double @llvm.exp10.f64(double %a)
  ret double %r
}

define double @intrinsic_pow(double %a, double %b) {
  %r = call double @llvm.pow.f64(double %a, double %b)
  ret double %r
}

define double @intrinsic_ldexp(double %a, i32 %b) {
  %r = call double @llvm.ldexp.f64.i32(double %a, i32 %b)
  ret double %r
}

declare double @llvm.sqrt.f64(double)

define double @intrinsic_sqrt(double %a) {
  %r = call double @llvm.sqrt.f64(double %a)
  ret double %r
}

declare double @llvm.sin.f64(double)

define double @intrinsic_sin(double %a) {
  %r = call double @llvm.sin.f64(double %a)
  ret double %r
}

declare double @llvm.cos.f64(double)

define double @intrinsic_cos(double %a) {
  %r = call double @llvm.cos.f64(double %a)
  ret double %r
}

declare double @llvm.tan.f64(double)

define double @intrinsic_tan(double %a) {
  %r = call double @llvm.tan.f64(double %a)
  ret double %r
}

declare double @llvm.exp.f64(double)

define double @intrinsic_exp(double %a) {
  %r = call double @llvm.exp.f64(double %a)
  ret double %r
}

declare double @llvm.exp2.f64(double)

define double @intrinsic_exp2(double %a) {
  %r = call double @llvm.exp2.f64(double %a)
  ret double %r
}

declare double @llvm.log.f64(double)

define double @intrinsic_log(double %a) {
  %r = call double @llvm.log.f64(double %a)
  ret double %r
}

declare double @llvm.log2.f64(double)

define double @intrinsic_log2(double %a) {
  %r = call double @llvm.log2.f64(double %a)
  ret double %r
}

declare double @llvm.log10.f64(double)

define double @intrinsic_log10(double %a) {
  %r = call double @llvm.log10.f64(double %a)
  ret double %r
}

declare double @llvm.acos.f64(double)

define double @intrinsic_acos(double %a) {
  %r = call double @llvm.acos.f64(double %a)
  ret double %r
}

declare double @llvm.asin.f64(double)

define double @intrinsic_asin(double %a) {
  %r = call double @llvm.asin.f64(double %a)
  ret double %r
}

declare double @llvm.atan.f64(double)

define double @intrinsic_atan(double %a) {
  %r = call double @llvm.atan.f64(double %a)
  ret double %r
}

declare double @llvm.cosh.f64(double)

define double @intrinsic_cosh(double %a) {
  %r = call double @llvm.cosh.f64(double %a)
  ret double %r
}

declare double @llvm.sinh.f64(double)

define double @intrinsic_sinh(double %a) {
  %r = call double @llvm.sinh.f64(double %a)
  ret double %r
}

declare double @llvm.tanh.f64(double)

define double @intrinsic_tanh(double %a) {
  %r = call double @llvm.tanh.f64(double %a)
  ret double %r
}
