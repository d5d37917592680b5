//! Inline assembly: only what does nothing can be lowered, that is, barriers that keep the
//! optimiser from looking through values.

use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::Value;

/// Templates without any effect on a single-threaded program.
const NO_OPS: [&str; 10] =
    ["nop", "pause", "rep; nop", "rep;nop", "rep nop", "mfence", "lfence", "sfence", "yield", "lock; addl $$0,0(%rsp)"];

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_asm(&mut self, call: Value<'m>, asm: Value<'m>) -> Lowered<()> {
        let (template, constraints) = asm.asm_text();
        let shown = || unsupported(format!("inline assembly `{}`", template.trim().replace('\n', "; ")));
        if !does_nothing(&template) {
            return shown();
        }
        let result = self.cx.shape(call.ty())?;
        let Some(sources) = tied_inputs(&constraints) else {
            return shown();
        };
        if sources.is_empty() {
            return if result.lanes.is_empty() { Ok(()) } else { shown() };
        }
        let mut lanes = Lanes::new();
        for source in sources {
            if source >= call.arg_count() {
                return shown();
            }
            lanes.extend(self.lanes(call.operand(source))?);
        }
        if lanes.len() != result.lanes.len() {
            return shown();
        }
        let widths: Vec<u32> = lanes.iter().map(|lane| self.operand_width(*lane)).collect();
        if widths != result.widths() {
            return shown();
        }
        self.values.insert(call, lanes);
        Ok(())
    }

    fn operand_width(&self, operand: espalier_ir::Operand) -> u32 {
        match operand.as_reg() {
            Some(reg) => self.out.regs[reg.index()],
            None => {
                self.out.constants.get(operand.index()).map_or(0, |constant| self.cx.program.constant_width(constant))
            }
        }
    }
}

/// Is the template empty, a comment or a known no-op?
fn does_nothing(template: &str) -> bool {
    template.split('\n').map(str::trim).all(|line| line.is_empty() || line.starts_with('#') || NO_OPS.contains(&line))
}

/// For each output in a register, the number of the argument that it is tied to (`"=r,0"`): with an
/// empty template the output is that argument. `None` if some output is tied to nothing. Outputs in
/// memory (`"=*m"`) take an argument, too, and stay as they are.
fn tied_inputs(constraints: &str) -> Option<Vec<u32>> {
    let mut outputs = Vec::new();
    let mut tied = Vec::new();
    let mut argument = 0;
    for (number, constraint) in constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')).enumerate() {
        if let Some(output) = constraint.strip_prefix('=') {
            let indirect = output.trim_start_matches('&').starts_with('*');
            if indirect {
                argument += 1;
            } else {
                outputs.push(number);
            }
        } else {
            if let Ok(output) = constraint.parse::<usize>() {
                tied.push((output, argument));
            }
            argument += 1;
        }
    }
    outputs
        .into_iter()
        .map(|output| tied.iter().find(|(tied_to, _)| *tied_to == output).map(|(_, argument)| *argument))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_the_inputs_tied_to_them() {
        assert_eq!(tied_inputs("~{memory},~{dirflag}"), Some(vec![]));
        assert_eq!(tied_inputs("r,~{memory}"), Some(vec![]));
        assert_eq!(tied_inputs("=r,0,~{flags}"), Some(vec![0]));
        assert_eq!(tied_inputs("=r,=r,1,0"), Some(vec![1, 0]));
        assert_eq!(tied_inputs("=*m,*m"), Some(vec![]));
        assert_eq!(tied_inputs("=*m,=r,*m,1"), Some(vec![2]));
        assert_eq!(tied_inputs("=r"), None);
    }

    #[test]
    fn templates_without_effect() {
        assert!(does_nothing(""));
        assert!(does_nothing("\n\t# a comment\n"));
        assert!(does_nothing("mfence"));
        assert!(!does_nothing("cpuid"));
    }
}
