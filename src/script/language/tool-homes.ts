import type { JobConfig } from '../../domain/job/job.ts'
import { bash, quote } from '../shell/bash.ts'
import { firstText } from '../first-text.ts'
import type { ScriptInput } from '../input.ts'

/**
 * Program text that gives what a language's jobs need besides: a virtual environment for Python, a place
 * below GOPATH for Go.
 */
export function toolHomes(language: string, { config, repository, source }: ScriptInput): string {
  if (language === 'python') return python(config)
  return language === 'go' ? go(importPath(config, repository.slug, source)) : ''
}

/**
 * Program text that gives packages a place in the job's own home, whatever its language: those of the
 * machine cannot be written to, and are not the job's.
 */
export const packageHomes = bash`
export GEM_HOME="$\{GEM_HOME:-$HOME/.gem}"
export PIP_BREAK_SYSTEM_PACKAGES="$\{PIP_BREAK_SYSTEM_PACKAGES:-1}"
export PATH="$GEM_HOME/bin:$HOME/.local/bin:$PATH"
# A variable would be enough, if nvm did not refuse to work where there is one.
__service_npm=$(builtin type -P npm)
if [[ $__service_npm && ! -w $\{__service_npm%/bin/npm}/lib ]]; then
  builtin command -p mkdir -p "$HOME/.service/npm" "$HOME/.npm-global/bin"
  builtin printf '#!/bin/sh\nNPM_CONFIG_PREFIX="$HOME/.npm-global" exec %q "$@"\n' \
    "$__service_npm" >"$HOME/.service/npm/npm"
  builtin command -p chmod +x "$HOME/.service/npm/npm"
  export PATH="$HOME/.npm-global/bin:$HOME/.service/npm:$PATH"
fi
unset __service_npm`

function python(config: JobConfig): string {
  const virtualenv: unknown = config.virtualenv
  const isShared =
    typeof virtualenv === 'object' &&
    virtualenv !== null &&
    'system_site_packages' in virtualenv &&
    virtualenv.system_site_packages === true
  return bash`
__service_venv=(${isShared ? '--system-site-packages' : ''})
if [[ $VIRTUAL_ENV ]]; then
  :
elif "$__service_tool" -m venv "$\{__service_venv[@]}" "$HOME/virtualenv" >/dev/null 2>&1; then
  :
elif "$__service_tool" -m venv --without-pip "$\{__service_venv[@]}" "$HOME/virtualenv" >/dev/null 2>&1; then
  __service_say yellow 'There is no pip for virtual environments on this machine (on Debian: python3-venv).'
fi
if [[ -f $HOME/virtualenv/bin/activate ]]; then
  VIRTUAL_ENV_DISABLE_PROMPT=1 builtin source "$HOME/virtualenv/bin/activate"
fi
__service_venv=`
}

/** Without modules a package is found by its path below GOPATH, so the build goes on there. */
function go(importPath: string): string {
  return bash`
export GOPATH="$\{GOPATH:-$HOME/go}"
export PATH="$GOPATH/bin:$PATH"
if [[ ! -f go.mod ]]; then
  export GO111MODULE="$\{GO111MODULE:-auto}"
  __service_package="$GOPATH/src/"${quote(importPath)}
  if [[ ! -e $__service_package ]] && builtin command -p mkdir -p "$\{__service_package%/*}" &&
    builtin command -p ln -s "$PWD" "$__service_package"; then
    cd "$__service_package" && export SERVICE_BUILD_DIR="$PWD"
  fi
fi`
}

function importPath(config: JobConfig, slug: string, source: ScriptInput['source']): string {
  const written = firstText(config.go_import_path)
  const isPath = written !== undefined && /^[\w.~-]+(?:\/[\w.~-]+)*$/.test(written)
  // A part that leads upwards would lead out of GOPATH.
  if (isPath && !written.split('/').includes('..')) return written
  const host = 'url' in source && URL.canParse(source.url) ? new URL(source.url).hostname : 'local'
  return `${host || 'local'}/${slug}`
}
