import { noRoomCode, refusedCode } from '../clone-codes.ts'
import { bash } from './bash.ts'

/**
 * The fixed part of the clone program. It expects the arrays `options` (of every git command),
 * `history` and `quiet`, and the variables `url`, `sha` and `ref`.
 */
export const shellClone = bash`
g() {
  git "$\{options[@]}" -c core.hooksPath=/dev/null "$@"
}

show() {
  builtin printf '$ git %s\n' "$*"
}

choose_ssh() { # address
  if g ls-remote "$1" HEAD >/dev/null 2>&1; then
    url=$1
  else
    __service_say yellow "The SSH key cannot read $1, so the commit is fetched from $url."
  fi
}

reachable() {
  g ls-remote origin HEAD >/dev/null 2>&1
}

# Runs a git command, and again while the server is temporarily unavailable, which its message tells
# from a rejection. A token may be refused for some seconds after it was made. Sets said.
patiently() { # command
  local pause what refused=0
  g "$@" && return
  for pause in "$\{pauses[@]}"; do
    said=$(LC_ALL=C g "$@" 2>&1) && return
    if [[ $said =~ $away ]]; then
      what="$(host_of "$said") cannot be reached"
    elif [[ $1 == fetch && $SERVICE_CLONE_TOKEN && $said =~ error:\ 40[13]|Authentication\ failed ]]; then
      if ((refused >= 60)); then exit ${String(refusedCode)}; fi
      what='The code host does not accept the token that it has made for this job'
      refused=$((refused + pause))
    else
      return 1
    fi
    __service_say yellow "$what. Retrying in $pause seconds."
    sleep $((pause * __service_pause))
  done
  g "$@"
}

host_of() { # message of git; prints whose it is
  local named="(access|clone of) '([a-z+]+://)?([^/@']*@)?([A-Za-z0-9.-]+)"
  if [[ ! $in_submodule ]]; then
    builtin printf 'The code host'
  elif [[ $1 =~ $named ]]; then
    builtin printf '%s' "$\{BASH_REMATCH[4]}"
  else
    builtin printf 'The host of a submodule'
  fi
}

there() {
  g cat-file -e "$sha^{commit}" 2>/dev/null
}

# Fetching by hash finds a commit even if its branch has moved on or was deleted.
fetch_commit() {
  show fetch "$\{history[@]}" origin "$sha"
  patiently fetch "$\{quiet[@]}" "$\{history[@]}" origin "$sha" && return
  __service_say yellow "The commit could not be fetched by its hash. Fetching $ref instead."
  fetch_ref "$\{history[@]}"
  if ! there && [[ -f .git/shallow ]]; then fetch_ref --unshallow; fi
}

fetch_ref() { # options
  show fetch "$@" origin "$ref"
  patiently fetch "$\{quiet[@]}" "$@" origin "+$ref:refs/service/ref"
}

checkout_commit() {
  if ! there; then
    if ! reachable; then fail "The repository cannot be read at $url."; fi
    fail "Commit $sha is gone: it can be fetched neither by its hash nor by $ref. It may have been replaced by a forced push, or its branch or pull request deleted."
  fi
  show checkout -qf "$sha"
  g checkout -qf "$sha" || fail "Commit $sha cannot be checked out."
  [[ $(g rev-parse HEAD) == "$sha" ]] || fail "What was checked out is not commit $sha."
}

# Tools that derive versions from tags need the tag itself.
fetch_tag() { # name
  patiently fetch -q "$\{history[@]}" origin "+refs/tags/$1:refs/tags/$1"
  if [[ $(g rev-parse -q --verify "refs/tags/$1^{commit}") != "$sha" ]]; then
    __service_say yellow "Tag $1 no longer points to commit $sha, which is built nevertheless."
  fi
}

update_submodules() { # options
  if [[ ! -f .gitmodules ]]; then return; fi
  service_fold start git.submodule
  service_time_start
  show submodule update --init --recursive
  # Their hosts are not the code host: three tries in all.
  pauses=(5) in_submodule=1
  if ! patiently submodule "$\{quiet[@]}" update --init --recursive "$@"; then
    if [[ $said =~ $away ]]; then
      fail "The submodules cannot be checked out: $(host_of "$said") cannot be reached. Restart the job when it is reachable again."
    fi
    # What is not among the newest commits may be an older one.
    g submodule "$\{quiet[@]}" update --init --recursive ||
      fail "The submodules cannot be checked out. $(host_of "$said") does not give one of them: look at its address in .gitmodules, and whether this service can read it there."
  fi
  service_time_finish checkout
  service_fold end git.submodule
}

# Whether a megabyte can still be written.
has_room() {
  local code=0 file="$HOME/.service-room"
  command -p head -c 1048576 /dev/zero 2>/dev/null >"$file" || code=1
  command -p rm -f "$file"
  return "$code"
}

fail() {
  __service_say red "$1"
  has_room 2>/dev/null && exit 2
  __service_say yellow 'The disk of this machine is full, which is no fault of the job: it is run again.'
  exit ${String(noRoomCode)}
}

trap '__service_code=$?; if [[ $__service_agent ]]; then builtin kill "$__service_agent" 2>/dev/null; fi
[[ $__service_code =~ ^(0|${String(noRoomCode)}|${String(refusedCode)})$ ]] || exit 2' EXIT
pauses=(1 2 4 8 15 30 30 30) in_submodule= said=
away='error: (429|5..)|connect to|resolve host|timed out|hung up|EOF|[Rr]eset|Empty'
__service_pause=1 __service_agent=`
