# This file is part of Espalier: a tool-info module for BenchExec.
#
# SPDX-License-Identifier: MIT OR Apache-2.0

"""Tells BenchExec how to run Espalier. Copy it into benchexec/tools/ or name it with its module path."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["espalier"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("espalier")

    def version(self, executable):
        # "espalier 0.1.0 (LLVM 19.1.7)"
        return self._version_from_tool(executable, line_prefix="espalier ")

    def name(self):
        return "Espalier"

    def project_url(self):
        return "https://espalier.example"

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", "--svcomp", "--output-dir", "espalier-out"]
        if task.property_file:
            command += ["--prop", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model"):
            command += ["--data-model", task.options["data_model"]]
        if rlimits.cputime:
            # Leave time to write the answer down.
            command += ["--max-time", f"{max(1, rlimits.cputime - 10)}s"]
        if rlimits.memory:
            command += ["--max-memory", f"{rlimits.memory // 10 * 8}"]
        return command + options + list(task.input_files_or_identifier)

    def determine_result(self, run):
        answer = run.output[-1].strip() if run.output else ""
        if answer in ("true", "unknown", "false"):
            return {"true": result.RESULT_TRUE_PROP, "false": result.RESULT_FALSE_PROP}.get(
                answer, result.RESULT_UNKNOWN
            )
        if answer.startswith("false(") and answer.endswith(")"):
            return f"{result.RESULT_FALSE_PROP}{answer[5:]}"
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        codes = {1: "usage", 2: "input", 6: "internal"}
        what = codes.get(run.exit_code.value)
        return f"{result.RESULT_ERROR} ({what})" if what else result.RESULT_ERROR
