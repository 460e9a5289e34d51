import { bash } from './bash.ts'

/**
 * What both programs print with: coloured lines, and the markers of folds and times.
 * Only builtins, called as such, so that neither a user's functions nor a broken PATH matter.
 */
export const shellLog = bash`
__service_say() { # colour, text
  local colour=0
  case $1 in
    red) colour='31;1' ;;
    green) colour='32;1' ;;
    yellow) colour='33;1' ;;
    dim) colour=2 ;;
  esac
  builtin printf '\033[%sm%s\033[0m\n' "$colour" "$2"
}

__service_clock() { # sets __service_now, in nanoseconds
  local now=$\{EPOCHREALTIME:-}
  if [[ $now == *[.,]* ]]; then
    __service_now=$\{now%[.,]*}$\{now#*[.,]}000
  else
    # Before bash 5 there is no clock to read.
    __service_now=$(builtin command -p date +%s)000000000
  fi
}

service_fold() { # start or end, name
  builtin printf 'service_fold:%s:%s\r\033[0K' "$1" "$2"
}

service_time_start() {
  __service_clock
  __service_started=$__service_now
  builtin printf -v __service_timer '%08x' "$((RANDOM * 65536 + RANDOM))"
  builtin printf 'service_time:start:%s\r\033[0K' "$__service_timer"
}

service_time_finish() { # event
  __service_clock
  builtin printf 'service_time:end:%s:start=%s,finish=%s,duration=%s,event=%s\r\033[0K' \
    "$\{__service_timer:-0}" "$\{__service_started:-0}" "$__service_now" \
    "$((__service_now - $\{__service_started:-0}))" "$\{1:-$__service_phase}"
}
`
