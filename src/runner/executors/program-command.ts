import { quote } from '../../script/shell/bash.ts'

/**
 * The command that runs a program. The shell reads it as a string, so that its own messages name no file
 * of ours: `bash: line 9: cd: docs: No such file …`. An unreadable program must not seem to pass.
 */
export function programCommand(script: string): string {
  return `"$BASH" --noprofile --norc -c ${quote(evaluated)} bash ${quote(script)}`
}

// TERM goes to all processes of a job: its shell first lets the command in the foreground tidy up.
const evaluated = `trap '__service_terminated=1; builtin exit 143' TERM; if ! { __service_program=$(<"$1"); } 2>/dev/null || [[ ! $__service_program ]]; then
  echo 'The program of the job cannot be read.'
  exit 2
fi
eval "set --; unset __service_program
$__service_program"`
