//! Contexts and modules: parsing, verifying, linking, running passes.

use super::{DataLayout, Linkage, TypeKind, Value, copy_text, take_message};
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::{LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;

/// The version of the LLVM library in use.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three valid out-parameters.
    unsafe { LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

/// What LLVM calls before it ends the process because of an error it cannot return.
pub fn on_fatal_error(handler: extern "C" fn(*const c_char)) {
    // SAFETY: resetting first, because installing twice is an error.
    unsafe {
        llvm_sys::error_handling::LLVMResetFatalErrorHandler();
        llvm_sys::error_handling::LLVMInstallFatalErrorHandler(Some(handler));
    }
}

/// Owns everything LLVM allocates, and collects its diagnostics instead of having them printed.
pub struct Context {
    raw: LLVMContextRef,
    diagnostics: Box<RefCell<Diagnostics>>,
}

#[derive(Default)]
struct Diagnostics {
    errors: Vec<String>,
    warnings: Vec<String>,
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, diagnostics: *mut c_void) {
    // SAFETY: LLVM passes a valid diagnostic and the pointer given in `Context::new`, which lives
    // as long as the context.
    unsafe {
        let diagnostics = &*diagnostics.cast::<RefCell<Diagnostics>>();
        let Ok(mut diagnostics) = diagnostics.try_borrow_mut() else {
            return;
        };
        let text = || take_message(LLVMGetDiagInfoDescription(info));
        match LLVMGetDiagInfoSeverity(info) {
            LLVMDiagnosticSeverity::LLVMDSError => diagnostics.errors.push(text()),
            LLVMDiagnosticSeverity::LLVMDSWarning => diagnostics.warnings.push(text()),
            _ => {}
        }
    }
}

impl Context {
    pub fn new() -> Context {
        let diagnostics = Box::new(RefCell::new(Diagnostics::default()));
        // SAFETY: the box's address is stable and outlives the context.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            let data = std::ptr::from_ref::<RefCell<Diagnostics>>(&diagnostics).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(raw, Some(collect_diagnostic), data);
            raw
        };
        Context { raw, diagnostics }
    }

    /// The errors reported since the last call.
    pub fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics.borrow_mut().errors)
    }

    /// The warnings reported since the last call.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.diagnostics.borrow_mut().warnings)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) };
    }
}

/// A module: one translation unit, or the linked program.
pub struct Module<'c> {
    pub(super) raw: LLVMModuleRef,
    context: &'c Context,
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: we own it; `link` forgets what it consumed.
        unsafe { LLVMDisposeModule(self.raw) };
    }
}

impl<'c> Module<'c> {
    /// Reads bitcode that was just made by a compiler of the same version, which checked it. LLVM
    /// would check the whole module again, to drop its debug information if that is broken: this
    /// takes up to two fifths of the time of reading.
    pub fn parse_own(context: &'c Context, bytes: &[u8], name: &str) -> Result<Module<'c>, String> {
        check_debug_information(false);
        let module = Module::parse(context, bytes, name);
        check_debug_information(true);
        module
    }

    /// Parses bitcode or LLVM assembly. `name` appears in messages.
    pub fn parse(context: &'c Context, bytes: &[u8], name: &str) -> Result<Module<'c>, String> {
        let buffer = memory_buffer(bytes, name);
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: the parser owns the buffer from here on, whatever happens.
        let failed = unsafe { LLVMParseIRInContext(context.raw, buffer, &mut raw, &mut message) } != 0;
        // SAFETY: the message is ours.
        let message = unsafe { take_message(message) };
        let reported = context.take_errors();
        if failed || raw.is_null() {
            let mut text = if message.is_empty() { reported.join("\n") } else { message };
            if text.is_empty() {
                text.push_str("LLVM gives no reason");
            }
            return Err(text);
        }
        Ok(Module { raw, context })
    }

    /// Reads bitcode without the functions' bodies, which are read when they are linked.
    pub fn parse_lazily(context: &'c Context, bytes: &[u8], name: &str) -> Result<Module<'c>, String> {
        let buffer = memory_buffer(bytes, name);
        let mut raw = std::ptr::null_mut();
        // SAFETY: the module owns the buffer if reading succeeds.
        let failed = unsafe { LLVMGetBitcodeModuleInContext2(context.raw, buffer, &mut raw) } != 0;
        if failed || raw.is_null() {
            return Err(context.take_errors().join("\n"));
        }
        Ok(Module { raw, context })
    }

    /// LLVM's own well-formedness check.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        // SAFETY: valid module and out-parameter; the message is ours.
        let (failed, message) = unsafe {
            let failed =
                LLVMVerifyModule(self.raw, LLVMVerifierFailureAction::LLVMReturnStatusAction, &mut message) != 0;
            (failed, take_message(message))
        };
        if failed { Err(message) } else { Ok(()) }
    }

    /// Moves everything of `other` into this module.
    pub fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: both modules are of one context; the linker destroys `raw`.
        let failed = unsafe { LLVMLinkModules2(self.raw, raw) } != 0;
        let errors = self.context.take_errors();
        if failed {
            return Err(if errors.is_empty() { "LLVM's linker gives no reason".to_owned() } else { errors.join("\n") });
        }
        Ok(())
    }

    /// Runs a pipeline in the syntax of `opt -passes=`.
    pub fn run_passes(&mut self, pipeline: &CStr) -> Result<(), String> {
        // SAFETY: valid module; no target machine is needed; the message is copied before it is
        // freed.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, pipeline.as_ptr(), std::ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    /// Has variables described by `llvm.dbg.*` calls, which the C API can read, instead of LLVM
    /// 19's debug records, which it cannot.
    pub fn use_debug_intrinsics(&mut self) {
        // SAFETY: valid module.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw, 0) };
    }

    pub fn triple(&self) -> String {
        // SAFETY: the text belongs to the module.
        unsafe { CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    pub fn set_triple(&mut self, triple: &CStr) {
        // SAFETY: valid module and text.
        unsafe { LLVMSetTarget(self.raw, triple.as_ptr()) };
    }

    pub fn layout_text(&self) -> String {
        // SAFETY: the text belongs to the module.
        unsafe { CStr::from_ptr(LLVMGetDataLayoutStr(self.raw)).to_string_lossy().into_owned() }
    }

    pub fn set_layout_text(&mut self, layout: &CStr) {
        // SAFETY: valid module and text.
        unsafe { LLVMSetDataLayout(self.raw, layout.as_ptr()) };
    }

    /// Assembly at file level (`asm("…");` outside functions).
    pub fn inline_asm(&self) -> String {
        let mut len = 0;
        // SAFETY: the text belongs to the module.
        unsafe { copy_text(LLVMGetModuleInlineAsm(self.raw, &mut len), len) }
    }

    pub fn layout(&self) -> DataLayout<'_> {
        // SAFETY: the layout belongs to the module.
        DataLayout { raw: unsafe { LLVMGetModuleDataLayout(self.raw) }, module: PhantomData }
    }

    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: walking the module's list.
        let first = unsafe { LLVMGetFirstFunction(self.raw) };
        // SAFETY: as above.
        chain(first, |f| unsafe { LLVMGetNextFunction(f) })
    }

    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as above.
        let first = unsafe { LLVMGetFirstGlobal(self.raw) };
        // SAFETY: as above.
        chain(first, |g| unsafe { LLVMGetNextGlobal(g) })
    }

    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: as above.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.raw) };
        // SAFETY: as above.
        chain(first, |a| unsafe { LLVMGetNextGlobalAlias(a) })
    }

    /// The function of that name, defined or declared.
    pub fn function_named(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: valid module and text.
        Value::from_raw(unsafe { LLVMGetNamedFunction(self.raw, name.as_ptr()) })
    }

    pub fn global_named(&self, name: &str) -> Option<Value<'_>> {
        let name = CString::new(name).ok()?;
        // SAFETY: valid module and text.
        Value::from_raw(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    pub fn alias_named(&self, name: &str) -> Option<Value<'_>> {
        // SAFETY: valid module and text.
        Value::from_raw(unsafe { LLVMGetNamedGlobalAlias(self.raw, name.as_ptr().cast(), name.len()) })
    }

    /// Makes this module a library: its definitions are linked only if they are referred to, give
    /// way to others of the same name, and its functions carry `attribute`. Names that start with
    /// `__espalier_run_` are linked always: the engine calls them.
    pub fn prepare_as_library(&mut self, attribute: &str) {
        self.mark_functions(attribute);
        for value in self.exported() {
            let always = value.name().starts_with("__espalier_run_");
            value.set_linkage(if always { Linkage::LLVMWeakAnyLinkage } else { Linkage::LLVMLinkOnceAnyLinkage });
        }
    }

    /// Gives all functions with a body an attribute.
    pub fn mark_functions(&mut self, attribute: &str) {
        // SAFETY: valid module and values; attribute texts are copied.
        unsafe {
            let length = u32::try_from(attribute.len()).unwrap_or(0);
            let mark =
                LLVMCreateStringAttribute(self.context.raw, attribute.as_ptr().cast(), length, std::ptr::null(), 0);
            for value in self.functions().filter(|f| !f.is_declaration()) {
                LLVMAddAttributeAtIndex(value.raw, llvm_sys::LLVMAttributeFunctionIndex, mark);
            }
        }
    }

    /// Definitions that other modules can see.
    pub fn exported(&self) -> impl Iterator<Item = Value<'_>> {
        self.functions().chain(self.globals()).chain(self.aliases()).filter(|value| {
            !value.is_declaration()
                && !matches!(
                    value.linkage(),
                    Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage | Linkage::LLVMAppendingLinkage
                )
        })
    }

    /// Has these definitions give way to others of the same name.
    pub fn weaken(&mut self, which: impl Fn(&str) -> bool) {
        self.exported()
            .filter(|value| which(&value.name()))
            .for_each(|value| value.set_linkage(Linkage::LLVMLinkOnceAnyLinkage));
    }

    /// Has the names of these functions begin with `prefix`.
    pub fn prefix_functions(&mut self, prefix: &str, which: impl Fn(&str) -> bool) {
        let aliases = self.aliases().filter(|alias| alias.value_type().kind() == TypeKind::Function);
        for function in self.functions().chain(aliases).filter(|function| which(&function.name())) {
            let name = format!("{prefix}{}", function.name());
            // SAFETY: a value of this module; the text is copied.
            unsafe { LLVMSetValueName2(function.raw, name.as_ptr().cast(), name.len()) };
        }
    }

    /// Hides these definitions from other modules.
    pub fn internalise(&mut self, which: impl Fn(&str) -> bool) {
        self.exported()
            .filter(|value| which(&value.name()))
            .for_each(|value| value.set_linkage(Linkage::LLVMInternalLinkage));
    }

    /// Declares `name` with the type of `like`, unless there is something of that name.
    pub fn declare_like(&mut self, name: &str, like: &str) {
        let (Ok(c_name), Ok(c_like)) = (CString::new(name), CString::new(like)) else {
            return;
        };
        if self.global_named(name).is_some() || self.alias_named(name).is_some() {
            return;
        }
        // SAFETY: valid module and texts; `like` is checked.
        unsafe {
            let like = LLVMGetNamedFunction(self.raw, c_like.as_ptr());
            if !like.is_null() && LLVMGetNamedFunction(self.raw, c_name.as_ptr()).is_null() {
                LLVMAddFunction(self.raw, c_name.as_ptr(), LLVMGlobalGetValueType(like));
            }
        }
    }
}

/// Has LLVM check debug information when it reads a module, or not.
fn check_debug_information(is_checked: bool) {
    let option =
        if is_checked { c"-disable-auto-upgrade-debug-info=false" } else { c"-disable-auto-upgrade-debug-info=true" };
    let arguments = [c"espalier".as_ptr(), option.as_ptr()];
    // SAFETY: two valid texts. One thread uses LLVM at a time.
    unsafe { LLVMParseCommandLineOptions(2, arguments.as_ptr(), c"".as_ptr()) };
}

fn chain<'m>(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> impl Iterator<Item = Value<'m>> {
    std::iter::successors(Value::from_raw(first), move |value| Value::from_raw(next(value.raw)))
}

/// A copy, because LLVM's assembly parser wants a zero after the last byte.
fn memory_buffer(bytes: &[u8], name: &str) -> LLVMMemoryBufferRef {
    let name = CString::new(name.replace('\0', "")).unwrap_or_default();
    // SAFETY: valid range and text.
    unsafe { LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr()) }
}
