import { secretEndMarker, secretStartMarker } from '../../domain/log/secret-markers.ts'
import { endedShell, exitedWith, jobStopped } from '../../texts/log-endings.ts'
import { bash, printfFormat, quote } from './bash.ts'

/**
 * Functions around the user's lines. `__service_begin` runs before a line, `__service_end` after it,
 * with the shell options reset for our own code; the next line gets the user's options back. At any end
 * of the shell, `__service_exit` runs last.
 */
export const shellRun = bash`
__service_begin() { # phase, kind, fold, line, [what is shown of it]
  __service_phase=$1 __service_kind=$2 __service_fold=$3 __service_command=$4
  local shown=$\{5-$4}
  __service_shown=$\{shown%%$'\n'*}
  if [[ $__service_shown != "$shown" ]]; then __service_shown+=' ...'; fi
  if [[ $__service_fold ]]; then service_fold start "$__service_fold"; fi
  if [[ $__service_kind != quick && $__service_kind != export ]]; then
    service_time_start
    # The line may use the same functions.
    __service_outer=("$__service_timer" "$__service_started")
  fi
  builtin printf '$ %s\n' "$shown"
  __service_forget
}

# An earlier line may have installed another version of a program whose path the shell remembers. Paths
# that a job has set itself, to a program outside of PATH, stay.
__service_forget() {
  local name
  for name in "$\{!BASH_CMDS[@]}"; do
    if [[ :$PATH: == *:"$\{BASH_CMDS[$name]%/*}":* ]]; then builtin hash -d "$name" 2>/dev/null || :; fi
  done
}

# Ends what __service_begin opened, once.
__service_close() {
  if [[ $__service_outer ]]; then
    __service_timer=$\{__service_outer[0]} __service_started=$\{__service_outer[1]}
    __service_outer=()
    service_time_finish "$__service_phase"
  fi
  if [[ $__service_fold ]]; then service_fold end "$__service_fold"; fi
  __service_fold=
}

__service_end() {
  local code=$__service_code
  __service_keep
  __service_guard
  __service_close
  case $__service_kind:$code in
    quick:* | export:* | *:0) ;;
    *) __service_hint "$__service_command" ;;
  esac
  case $__service_kind:$code in
    assert:*) service_assert "$code" ;;
    script:*) service_result "$code" ;;
    ignore:0 | export:0) ;;
    ignore:*)
      __service_say yellow "The command \"$__service_shown\" exited with $code, which does not count."
      ;;
    export:*)
      __service_say yellow 'Bash cannot set all of this. Put quotes around spaces and special characters: NAME="a value".'
      ;;
  esac
}

# Has the user's shell options back for the next line.
__service_keep() {
  local letter letters=
  for letter in a e f k u v x; do
    if [[ $__service_flags == *$letter* ]]; then letters+=$letter; fi
  done
  __service_options=$\{letters:+"builtin set -$letters"$'\n'}
}

__service_note() { # test result, without a command that made it
  __service_result=$1
  builtin export SERVICE_TEST_RESULT=$1
}

# Keeps a user's EXIT trap, to run it at the end, and restores ours.
__service_guard() {
  local now
  now=$(builtin trap -p EXIT)
  if [[ $now == "$__service_trap" ]]; then return; fi
  __service_theirs=$now
  __service_arm
}

__service_arm() {
  builtin trap '{ __service_code=$? __service_flags=$-; builtin set +aefkuvx; } 2>/dev/null; __service_exit' EXIT
  __service_trap=$(builtin trap -p EXIT)
}

__service_stop() { # exit code
  __service_close
  builtin printf '\n'
  __service_say red "The command \"$__service_shown\" failed and exited with $1 during $__service_phase."
  __service_say red ${quote(jobStopped)}
  __service_finish 2
}

__service_finish() { # exit code
  __service_finished=$1
  builtin exit "$1"
}

__service_exit() {
  # With set -u an unset variable ends a shell with 1, but with 127 where it reads its program as a string. A
  # line that asks for 127 keeps it.
  if [[ $__service_code == 127 && $__service_flags == *u* && $__service_shown != *@(exit|exec)* ]]; then
    __service_code=1
  fi
  local code=$__service_code end=$__service_code colour=red with=" with $__service_code"
  if [[ ! $__service_finished ]]; then
    __service_close
    case $__service_phase in
      before_cache | after_*) end=$\{__service_result:-86} ;;
      *) if [[ $code == 0 && $__service_result == 1 ]]; then end=1; fi ;;
    esac
    # A job that was sent TERM has no result, whatever it was doing.
    if [[ $__service_terminated ]]; then end=143; fi
  fi
  if [[ $__service_theirs ]]; then (builtin eval "$__service_theirs" && builtin exit "$end"); fi
  if [[ $__service_agent ]]; then builtin kill "$__service_agent" 2>/dev/null; fi
  __service_sweep
  if [[ $__service_finished ]]; then
    builtin printf ${printfFormat(exitedWith('%s'))} "$end"
  else
    # A signal may be what ends it. The runner learns that, and writes the last line.
    if [[ $code == 0 || $__service_terminated ]]; then colour=yellow with=; fi
    __service_say $colour "The command \"$__service_shown\" ${endedShell('$with', '$__service_phase')}"
  fi
  builtin exit "$end"
}

# Kills what the job left running: the shell's children, and on Linux its process group.
__service_sweep() {
  local IFS=$' \t\n' file pid pids
  pids=($(builtin jobs -p))
  builtin disown -a 2>/dev/null
  if __service_group "/proc/$$/stat" && [[ $__service_group == "$$" ]]; then
    for file in /proc/[0-9]*/stat; do
      pid=$\{file//[!0-9]/}
      if [[ $pid == "$$" ]]; then continue; fi
      if __service_group "$file" && [[ $__service_group == "$$" ]]; then pids+=("$pid"); fi
    done
  fi
  for pid in "$\{pids[@]}"; do builtin kill -KILL "$pid" 2>/dev/null; done
}

__service_group() { # file; sets __service_group
  local line=
  { builtin read -r line <"$1"; } 2>/dev/null || return 1
  # The name of the program is in parentheses and can contain anything.
  builtin set -- $\{line##*) }
  __service_group=$3
}

__service_pause=1 __service_minute=60
__service_options= __service_result= __service_finished= __service_theirs= __service_agent=
__service_phase=start __service_kind= __service_fold= __service_command= __service_shown= __service_outer=()
__service_keep
__service_arm
`

/** Runs before any of our own lines; otherwise a profile could make bash trace them. */
export const keepOptions = '{ __service_flags=$-; builtin set +aefkuvx; } 2>/dev/null'

// With `command eval`, the shell survives a syntax error even in POSIX mode.
const evaluate = 'builtin command eval "$__service_options$__service_command"'
const finish = [
  '{ __service_code=$? __service_flags=$-; builtin set +aefkuvx; } 2>/dev/null',
  '__service_end',
]
const evaluateSecret = 'builtin command eval "$__service_command" 2>/dev/null'

/** Runs the line that was passed to `__service_begin`, with the user's shell options. */
export const runLine = [evaluate, ...finish].join('\n')

/**
 * Runs a line that bash must not print, neither in a message nor in a trace that the user's options turn
 * on.
 */
export const runSecretLine = [
  evaluateSecret,
  '{ __service_code=$?; builtin set +aefkuvx; } 2>/dev/null',
  '__service_end',
].join('\n')

/** Hands the value of a variable over to the runner, right after the line that has set it. */
export function handSecrets(nonce: string): string {
  const format = printfFormat(secretStartMarker(nonce, '%s') + '%s' + secretEndMarker(nonce))
  return bash`
__service_hand() { # name
  if [[ $__service_code == 0 ]]; then builtin printf ${format} "$1" "$\{!1}"; fi
}`
}
