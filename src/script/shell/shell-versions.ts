import { bash, quote } from './bash.ts'

/** Names of Node.js' long-term releases, and their major versions. */
const longTerm =
  'argon:4 boron:6 carbon:8 dubnium:10 erbium:12 fermium:14 gallium:16 hydrogen:18 iron:20 jod:22 krypton:24'

/**
 * The versions that a job requests. `__service_asked` is the request in words, `__service_asked_in` the
 * file that contains it; both are empty if any version will do.
 */
export const shellVersions = bash`
__service_asked= __service_asked_in= __service_pattern= __service_least=

__service_ask() { # file, what it asks for in words, version
  __service_asked_in=$1 __service_asked=$2
  __service_meet "$3"
}

# Sets what meets a version: __service_pattern, an extended regular expression. A present version meets what
# it begins with (D42); a name that fits none is met by nothing.
__service_meet() { # version
  local LC_ALL=C text=$1 names=${quote(` ${longTerm} `)}
  local newest='^(node|stable|release|latest|current|default|system|1\.x|x|\*)$'
  local release='^(--)?lts(/(\*|-?[[:alnum:]_]+))?$'
  local vendor='(v|ruby-|go|php-?|python|ghc-|elm|openjdk|oraclejdk|temurin)'
  local numbered="^$vendor?-?([0-9]+(\.[0-9]+)*)(\.[x*]|-dev|-p[0-9]+)?$"
  if [[ $text == *[A-Z]* ]]; then text=$(builtin printf '%s' "$text" | command -p tr A-Z a-z); fi
  text=$\{text#"$\{text%%[![:space:]]*}"}
  text=$\{text%"$\{text##*[![:space:]]}"}
  __service_pattern='^$'
  if [[ $text =~ $newest ]]; then
    __service_pattern=.
  elif [[ $text == nightly || $text == beta ]]; then
    __service_pattern=-$text
  elif [[ $text =~ $release ]]; then
    text=$\{BASH_REMATCH[3]:-*}
    if [[ $text == '*' ]]; then
      __service_pattern='^[0-9]*[02468]\.'
    elif [[ $text != -* && $names == *" $text:"* ]]; then
      text=$\{names#*" $text:"}
      __service_pattern="^$\{text%% *}\."
    fi
  elif [[ $text =~ $numbered ]]; then
    __service_pattern="^$\{BASH_REMATCH[2]//./\\.}($|[^0-9])"
    # Java 8 calls itself 1.8.
    if [[ $text =~ jdk|temurin ]]; then __service_pattern="^(1\.)?$\{__service_pattern#^}"; fi
  fi
}

# The first file that names a version counts, and in it the first one.
__service_ask_files() { # name in .tool-versions, as a pattern; files
  local IFS=$' \t\n' tool=$1 file line words
  builtin shift
  for file in "$@" .tool-versions; do
    if [[ ! -f $file || ! -r $file ]]; then continue; fi
    while builtin read -r line || [[ $line ]]; do
      line=$\{line%%#*}
      line=$\{line//[^[:print:]]/ }
      builtin read -ra words <<<"$line"
      __service_read_line "$file" "$tool" && return
    done <"$file"
  done
}

__service_read_line() { # file, name in .tool-versions; reads line and words of its caller
  local version=$\{words[0]:0:100} channel='channel[[:blank:]]*=[[:blank:]]*["'"'"']([^"'"'"']+)'
  case $1 in
    go.mod)
      # What it names is the oldest that will do.
      [[ $version == go && $\{words[1]} =~ ^[0-9]+(\.[0-9]+)* ]] || return
      version=$\{BASH_REMATCH[0]}
      __service_ask "$1" "go $\{words[1]:0:100}" none
      __service_least=$version
      return
      ;;
    .tool-versions)
      [[ $version =~ ^($2)$ && $\{words[1]} ]] || return
      version=$\{words[1]:0:100}
      __service_ask "$1" "$\{words[0]} $version" "$(__service_plain_version "$2" "$version")"
      return
      ;;
    rust-toolchain*)
      if [[ $line =~ $channel ]]; then
        version=$\{BASH_REMATCH[1]:0:100}
      elif [[ $1 == *.toml || $line == *[=[]* ]]; then
        return 1
      fi
      ;;
  esac
  [[ $version ]] && __service_ask "$1" "$version" "$\{version%%@*}"
}

# What of a version in .tool-versions programs tell of themselves.
__service_plain_version() { # name, version
  local java='^([a-z_-]*-)?([0-9]+)([.+_].*)?$'
  if [[ $1 == java && $2 =~ $java ]]; then
    builtin printf 'openjdk%s' "$\{BASH_REMATCH[2]}"
  else
    builtin printf '%s' "$\{2%%-otp-*}"
  fi
}

__service_newer() { # version, other version
  local -a one other
  local at
  IFS=. builtin read -ra one <<<"$\{1%%-*}"
  IFS=. builtin read -ra other <<<"$\{2%%-*}"
  for at in 0 1 2 3; do
    if ((10#$\{one[at]:-0} != 10#$\{other[at]:-0})); then
      ((10#$\{one[at]:-0} > 10#$\{other[at]:-0}))
      return
    fi
  done
  return 1
}

__service_meets() { # version
  if [[ $__service_least ]]; then
    ! __service_newer "$__service_least" "$1"
  else
    [[ $1 =~ $__service_pattern ]]
  fi
}
`
