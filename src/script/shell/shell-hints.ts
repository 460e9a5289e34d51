import { bash, quote } from './bash.ts'

const noSudo =
  'Jobs on this runner cannot use sudo: run the command without it, and ask its operator to install ' +
  'the software that the command sets up.'

/** Programs that choose versions elsewhere, and the language and key that do so here. */
const choosers = [
  ['jdk_switcher', 'Java', 'jdk'],
  ['nvm', 'Node.js', 'node_js'],
  ['rvm', 'Ruby', 'rvm'],
  ['gimme', 'Go', 'go'],
  ['pyenv', 'Python', 'python'],
] as const

const choices = choosers
  .map(([program, language, key]) => {
    const hint = `There is no ${program} here: remove it, and choose a version of ${language} with "${key}" in .service.yml.`
    return `    ${program}) __service_say yellow ${quote(hint)} >&2 ;;`
  })
  .join('\n')

const noPhpenv =
  'There is no phpenv here: remove it, choose a version of PHP with "php" in .service.yml, and pass ' +
  'settings to PHP itself (php -d NAME=value).'

const shallowClone =
  'The clone of this job holds only the newest commits, and git describe and git merge-base may need older ' +
  'ones, or tags. "git: depth: false" in .service.yml fetches all of them; build-service run copies 50 ' +
  'commits and no tags.'

/** Hints after commands that fail here and would not elsewhere: what to do next. */
export const shellHints = bash`
# In a function bash would name a line of our program.
command_not_found_handle() {
  builtin printf '%s: command not found\n' "$1" >&2
  case $1 in
    sudo) __service_say yellow ${quote(noSudo)} >&2 ;;
${choices}
    phpenv) __service_say yellow ${quote(noPhpenv)} >&2 ;;
  esac
  return 127
}

__service_hint() { # line that failed
  local sudo='(^|[^[:alnum:]_./-])sudo[[:blank:]]'
  local history='(^|[^[:alnum:]_.-])git[[:blank:]]([^;&|]*[[:blank:]])?(describe|merge-base)([^[:alnum:]_-]|$)'
  # It may be there for others: jobs cannot gain the rights of another user.
  if [[ $1 =~ $sudo && $(builtin type -P sudo) ]] && ! sudo -n true >/dev/null 2>&1; then
    __service_say yellow ${quote(noSudo)}
  fi
  if [[ $1 =~ $history && $(git rev-parse --is-shallow-repository 2>/dev/null) == true ]]; then
    __service_say yellow ${quote(shallowClone)}
  fi
}
`
