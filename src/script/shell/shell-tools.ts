import { bash } from './bash.ts'

/** How a job finds the tools of its language, and which of several versions it uses. */
export const shellTools = bash`
__service_find() { # names on the path, as patterns, --, files; sets __service_tools
  local folder name file names=() IFS=:
  while [[ $1 != -- ]]; do names+=("$1") && shift; done
  shift
  __service_tools=()
  for name in "$\{names[@]}"; do
    for folder in $PATH; do
      for file in "$folder"/$name; do
        if [[ $file == /* && -f $file && -x $file ]]; then __service_tools+=("$file"); fi
      done
    done
  done
  for file; do
    if [[ -f $file && -x $file ]]; then __service_tools+=("$file"); fi
  done
}

__service_version() { # program, arguments that have it tell; sets __service_found
  local text number='[0-9]+(\.[0-9]+)+(-[a-z]+)?'
  __service_found=
  # A program of a version manager can be there and have no version to run.
  text=$("$@" 2>&1) || return 1
  if [[ $text =~ $number || $text =~ [0-9]+ ]]; then __service_found=$\{BASH_REMATCH[0]}; fi
}

# Sets __service_first and __service_tool (the newest that fits), their versions, and all versions.
__service_choose() { # arguments that have a program tell its version
  local tool best=
  __service_tool= __service_first= __service_first_version= __service_versions=
  for tool in "$\{__service_tools[@]}"; do
    __service_version "$tool" "$@" || continue
    if [[ ! $__service_first ]]; then
      __service_first=$tool __service_first_version=$__service_found
      if [[ ! $__service_pattern ]]; then __service_tool=$tool && return; fi
    fi
    if [[ ! $__service_found ]]; then continue; fi
    case ", $__service_versions, " in
      *", $__service_found, "*) ;;
      *) __service_versions+=$\{__service_versions:+, }$__service_found ;;
    esac
    if __service_meets "$__service_found" && { [[ ! $best ]] || __service_newer "$__service_found" "$best"; }; then
      __service_tool=$tool best=$__service_found
    fi
  done
  [[ $__service_tool ]]
}

__service_use() { # name; makes it the chosen tool
  if [[ $(builtin type -P "$1") == "$__service_tool" ]]; then return; fi
  local folder=$\{__service_tool%/*}
  if [[ $\{__service_tool##*/} != "$1" ]]; then
    folder=$HOME/.service/bin
    builtin command -p mkdir -p "$folder"
    builtin command -p ln -sfn "$__service_tool" "$folder/$1"
  fi
  export PATH="$folder:$PATH"
}

__service_has() { # program, or a function of the user
  builtin type "$1" >/dev/null 2>&1
}

__service_lacks() { # sentence
  builtin printf '\n'
  __service_say red "$1"
  __service_finish 2
}
`
