import { logColours } from '../../domain/log/log-colours.ts'
import {
  clearLine,
  foldMarker,
  timeEndMarker,
  timeStartMarker,
  timeStats,
} from '../../domain/log/log-markers.ts'
import { bash, printfFormat } from './bash.ts'

const stats = timeStats({ start: '%s', finish: '%s', duration: '%s', event: '%s' })
const formats = {
  fold: printfFormat(foldMarker('%s', '%s') + clearLine),
  timeStart: printfFormat(timeStartMarker('%s') + clearLine),
  timeEnd: printfFormat(timeEndMarker('%s', stats) + clearLine),
}

/**
 * Output functions of both programs: coloured lines, and the markers of folds and times. They only use
 * builtins, explicitly called as builtins, so that neither a user's functions nor a broken PATH matter.
 */
export const shellLog = bash`
__service_say() { # colour, text
  local colour=0
  case $1 in
    red) colour='${logColours.red}' ;;
    green) colour='${logColours.green}' ;;
    yellow) colour='${logColours.yellow}' ;;
    dim) colour=${logColours.dim} ;;
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
  builtin printf ${formats.fold} "$1" "$2"
}

service_time_start() {
  __service_clock
  __service_started=$__service_now
  builtin printf -v __service_timer '%08x' "$((RANDOM * 65536 + RANDOM))"
  builtin printf ${formats.timeStart} "$__service_timer"
}

service_time_finish() { # event
  __service_clock
  builtin printf ${formats.timeEnd} \
    "$\{__service_timer:-0}" "$\{__service_started:-0}" "$__service_now" \
    "$((__service_now - $\{__service_started:-0}))" "$\{1:-$__service_phase}"
}
`
