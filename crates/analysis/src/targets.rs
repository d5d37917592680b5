//! Places of a program that are asked about: finding them, and marking them so that execution
//! notices when one is reached.

use crate::Cfg;
use espalier_ir::{BlockId, Callee, FileId, FuncId, Function, Inst, Loc, Program};
use std::collections::BTreeSet;

/// A place in the code: before instruction `pc` of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub func: FuncId,
    pub pc: u32,
}

/// The functions of the program under test that have code, without Espalier's runtime.
fn user_functions(program: &Program) -> impl Iterator<Item = (FuncId, &Function)> {
    let functions = program.functions.iter().enumerate().map(|(index, function)| (FuncId::new(index), function));
    functions.filter(|(_, function)| !function.is_declaration() && !function.is_runtime)
}

/// Where a line of code begins, once for each stretch of it; only what is at `column`, if one is
/// given.
pub fn sites_at(program: &Program, file: FileId, line: u32, column: Option<u32>) -> Vec<Site> {
    let is_there = |loc: &Loc| loc.file == file && loc.line == line && column.is_none_or(|column| loc.column == column);
    let mut sites = Vec::new();
    for (func, function) in user_functions(program) {
        for block in &function.blocks {
            let mut was_there = false;
            for pc in block.start..block.end {
                let is_there = is_there(&function.locs[pc as usize]);
                if is_there && !was_there {
                    sites.push(Site { func, pc });
                }
                was_there = is_there;
            }
        }
    }
    sites
}

/// Where an instruction may fail whose error is said to be on one of these lines: as for
/// [`sites_at`], but what has no line of its own counts as being where its function is.
pub fn error_sites_at(program: &Program, is_there: impl Fn(&Loc) -> bool) -> Vec<Site> {
    let mut sites = Vec::new();
    for (func, function) in user_functions(program) {
        for block in &function.blocks {
            let mut was_there = false;
            for pc in block.start..block.end {
                let is_there = is_there(&loc_of_error(function, pc));
                if is_there && !was_there {
                    sites.push(Site { func, pc });
                }
                was_there = is_there;
            }
        }
    }
    sites
}

/// The location that an error of an instruction is said to have.
pub fn loc_of_error(function: &Function, pc: u32) -> Loc {
    function.locs.get(pc as usize).copied().filter(Loc::is_known).unwrap_or(function.loc)
}

/// The instructions of the user's code at these places, with their functions.
pub fn code_at(program: &Program, is_there: impl Fn(&Loc) -> bool) -> Vec<(&Function, Inst, Loc)> {
    let mut code = Vec::new();
    for (_, function) in user_functions(program) {
        for (inst, pc) in function.code.iter().zip(0..) {
            let loc = loc_of_error(function, pc);
            if is_there(&loc) {
                code.push((function, *inst, loc));
            }
        }
    }
    code
}

/// The lines of a file that have code.
pub fn lines_with_code(program: &Program, file: FileId) -> BTreeSet<u32> {
    let locs = user_functions(program).flat_map(|(_, function)| &function.locs);
    locs.filter(|loc| loc.file == file && loc.is_known()).map(|loc| loc.line).collect()
}

/// The columns of a line that have code.
pub fn columns_with_code(program: &Program, file: FileId, line: u32) -> BTreeSet<u32> {
    let locs = user_functions(program).flat_map(|(_, function)| &function.locs);
    locs.filter(|loc| loc.file == file && loc.line == line).map(|loc| loc.column).collect()
}

/// The beginning of every block, without those that have no place in the source.
pub fn block_sites(program: &Program) -> Vec<Site> {
    let mut sites = Vec::new();
    for (func, function) in user_functions(program) {
        for block in &function.blocks {
            if function.locs[block.start as usize..block.end as usize].iter().any(Loc::is_known) {
                sites.push(Site { func, pc: block.start });
            }
        }
    }
    sites
}

/// Every call of one of these functions.
pub fn call_sites(program: &Program, is_wanted: impl Fn(&str) -> bool) -> Vec<Site> {
    let mut sites = Vec::new();
    for (func, function) in user_functions(program) {
        for (inst, pc) in function.code.iter().zip(0..) {
            if let Inst::Call { call } = inst
                && let Callee::Direct(callee) = function.call(*call).callee
                && is_wanted(&program.function(callee).name)
            {
                sites.push(Site { func, pc });
            }
        }
    }
    sites
}

/// The blocks that loops begin with.
pub fn loop_heads(program: &Program) -> Vec<(FuncId, BlockId)> {
    let mut heads = Vec::new();
    for (func, function) in user_functions(program) {
        let cfg = Cfg::of(function);
        let blocks = (0..cfg.blocks()).map(BlockId::new);
        heads.extend(blocks.filter(|&block| cfg.is_loop_head(block)).map(|block| (func, block)));
    }
    heads
}

/// The lines of a block, in order.
pub fn block_lines(program: &Program, func: FuncId, block: BlockId) -> Vec<(FileId, u32)> {
    let function = program.function(func);
    let block = function.block(block);
    let locs = function.locs[block.start as usize..block.end as usize].iter();
    let mut lines: Vec<(FileId, u32)> = locs.filter(|loc| loc.is_known()).map(|loc| (loc.file, loc.line)).collect();
    lines.dedup();
    lines
}

/// The source location of a site: of the instruction, or of the first after it in its block that
/// has one. (What belongs to a function as a whole, such as room for its variables, has no column.)
pub fn site_loc(program: &Program, site: Site) -> Loc {
    let function = program.function(site.func);
    let end = function.block_at(site.pc).map_or(site.pc, |block| function.block(block).end);
    let locs = &function.locs[site.pc as usize..end as usize];
    let exact = locs.iter().find(|loc| loc.is_known() && loc.column != 0);
    exact.or(locs.iter().find(|loc| loc.is_known())).copied().unwrap_or(Loc::UNKNOWN)
}

/// All marks, with the numbers of their targets.
pub fn marks(program: &Program) -> Vec<(u32, Site)> {
    let mut marks = Vec::new();
    for (function, index) in program.functions.iter().zip(0..) {
        for (inst, pc) in function.code.iter().zip(0..) {
            if let Inst::Target { index: target } = inst {
                marks.push((*target, Site { func: FuncId(index), pc }));
            }
        }
    }
    marks
}

/// The functions that have marks of such targets.
pub fn functions_with(program: &Program, is_wanted: impl Fn(u32) -> bool) -> Vec<FuncId> {
    let is_mark = |inst: &Inst| matches!(inst, Inst::Target { index } if is_wanted(*index));
    let functions = program.functions.iter().zip(0..).filter(|(function, _)| function.code.iter().any(is_mark));
    functions.map(|(_, index)| FuncId(index)).collect()
}

/// Marks the sites of each target with an [`Inst::Target`] of its number.
pub fn insert(program: &mut Program, targets: &[Vec<Site>]) {
    let mut by_function: Vec<Vec<(u32, u32)>> = vec![Vec::new(); program.functions.len()];
    for (sites, index) in targets.iter().zip(0..) {
        for site in sites {
            by_function[site.func.index()].push((site.pc, index));
        }
    }
    for (function, mut marks) in program.functions.iter_mut().zip(by_function) {
        if !marks.is_empty() {
            marks.sort_unstable();
            insert_marks(function, &marks);
        }
    }
}

/// Inserts marks before the instructions that they name, in order.
fn insert_marks(function: &mut Function, marks: &[(u32, u32)]) {
    let mut code = Vec::with_capacity(function.code.len() + marks.len());
    let mut locs = Vec::with_capacity(code.capacity());
    let mut moved = vec![0; function.code.len()];
    let mut marks = marks.iter().peekable();
    for block in &mut function.blocks {
        let start = code.len() as u32;
        for pc in block.start..block.end {
            moved[pc as usize] = code.len() as u32;
            while let Some(&(_, index)) = marks.next_if(|(at, _)| *at == pc) {
                code.push(Inst::Target { index });
                locs.push(function.locs[pc as usize]);
            }
            code.push(function.code[pc as usize]);
            locs.push(function.locs[pc as usize]);
        }
        (block.start, block.end) = (start, code.len() as u32);
    }
    function.code = code;
    function.locs = locs;
    function.passed.iter_mut().for_each(|(pc, _)| *pc = moved[*pc as usize]);
}
