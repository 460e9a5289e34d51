import { bash } from './bash.ts'

/**
 * The functions that users call in their lines. They run under the user's shell
 * options, hence the care for `set -e` and `set -u`.
 */
export const shellHelpers = bash`
service_result() { # exit code of a script command
  if [[ $1 == 0 ]]; then
    __service_say green "The command \"$__service_shown\" exited with 0."
    __service_result=$\{__service_result:-0}
  else
    __service_say red "The command \"$__service_shown\" exited with $1."
    __service_result=1
  fi
  builtin export SERVICE_TEST_RESULT=$__service_result
}

service_assert() { # exit code, or that of the last command
  local code=$\{1:-$?}
  if [[ $code != 0 ]]; then __service_stop "$code"; fi
}

service_terminate() { # exit code
  builtin exit "$\{1:-2}"
}

service_retry() {
  local try code=0
  for try in 1 2 3; do
    code=0
    "$@" || code=$?
    if [[ $code == 0 ]]; then return 0; fi
    __service_say red "The command \"$*\" failed with $code, try $try of 3."
    if [[ $try != 3 ]]; then builtin command -p sleep "$__service_pause" || :; fi
  done
  return "$code"
}

service_wait() { # [minutes], command
  local limit=20 code=0 file pid ticker
  if [[ $\{1:-} =~ ^[0-9]+$ ]]; then
    limit=$1
    shift
  fi
  # Others may read that folder, and may have put links there.
  file=$(builtin command -p mktemp "$\{SERVICE_TMPDIR:-/tmp}/service_wait.XXXXXXXXXX") || return
  "$@" >"$file" 2>&1 &
  pid=$!
  __service_tick "$limit" "$pid" "$*" &
  ticker=$!
  { builtin wait "$pid" || code=$?; } 2>/dev/null
  { builtin kill -KILL "$ticker" && builtin wait "$ticker" || :; } 2>/dev/null
  __service_say dim "Output of \"$*\":"
  builtin command -p cat "$file" || :
  builtin command -p rm -f "$file" || :
  return "$code"
}

__service_tick() { # minutes, process, command
  local minute
  for ((minute = 1; minute <= $1; minute++)); do
    # Without output it keeps nothing open if it outlives the ticker.
    builtin command -p sleep "$__service_minute" >/dev/null 2>&1 || :
    __service_say dim "Still running after $minute of $1 minutes: $3"
  done
  __service_say red "The command \"$3\" did not end within $1 minutes and is killed."
  builtin kill -KILL "$2" 2>/dev/null || :
}

service_cmd() { # line, [--echo] [--timing] [--assert] [--retry] [--display text]
  local line=$1 shown=$1 code=0 echo= timing= assert= retry=
  shift
  while [[ $# -gt 0 ]]; do
    case $1 in
      --echo) echo=1 ;;
      --timing) timing=1 ;;
      --assert) assert=1 ;;
      --retry) retry=service_retry ;;
      --display) shown=$\{2:-} && shift ;;
    esac
    shift
  done
  if [[ $timing ]]; then service_time_start; fi
  if [[ $echo ]]; then builtin printf '$ %s\n' "$shown"; fi
  $retry builtin eval "$line" || code=$?
  if [[ $timing ]]; then service_time_finish; fi
  if [[ $assert ]]; then service_assert "$code"; fi
  return "$code"
}
`
