import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import type { ScriptInput } from '../input.ts'
import { bash, quote } from '../shell/bash.ts'

/**
 * Program text that sets up additional needs of a language's jobs: a virtual environment for Python, a
 * place below GOPATH for Go, a place for the packages of Haxe, Perl and R.
 */
export function toolHomes(language: string, input: ScriptInput): string {
  const { config, repository, source } = input
  if (language === 'go') return go(importPath(config, repository.slug, source))
  return language === 'python' ? python(config) : (homes[language] ?? '')
}

/**
 * Program text that finds what a build file asks for in the image that was chosen for it: the image of a
 * compiler has it without its version in the name, and that of Rust has other channels on demand.
 */
export function imageTools(language: string, config: JobConfig): string {
  if (language === 'c' || language === 'cpp') return compilers
  const channel = language === 'rust' ? firstText(config.rust) : undefined
  return channel !== undefined && /^(?:beta|nightly)/.test(channel) ? toolchain(channel) : ''
}

const compilers = bash`
builtin command -p mkdir -p "$HOME/.service/bin"
for __service_name in "$CC" "$CXX" "$SERVICE_COMPILER"; do
  __service_plain=$\{__service_name%%-[0-9]*}
  if [[ $__service_plain != "$__service_name" && ! $(builtin type -P "$__service_name") && $(builtin type -P "$__service_plain") ]]; then
    builtin command -p ln -sfn "$(builtin type -P "$__service_plain")" "$HOME/.service/bin/$__service_name"
  fi
done
export PATH="$HOME/.service/bin:$PATH"
unset __service_name __service_plain`

function toolchain(channel: string): string {
  return bash`
service_retry rustup toolchain install ${quote(channel)} --profile minimal || __service_finish 2
export RUSTUP_TOOLCHAIN=${quote(channel)}`
}

/** Where there is Gradle, nothing draws on the terminal. */
const jvm = bash`
if [[ -f build.gradle || -f build.gradle.kts ]]; then export TERM=dumb; fi`

const homes: Readonly<Partial<Record<string, string>>> = {
  java: jvm,
  groovy: jvm,
  scala: jvm,
  node_js: bash`export PATH="./node_modules/.bin:$PATH"`,
  // cpanm installs there where it cannot write to the folders of Perl.
  perl: bash`export PERL5LIB="$HOME/perl5/lib/perl5$\{PERL5LIB:+:$PERL5LIB}" PATH="$HOME/perl5/bin:$PATH"`,
  // Without it, haxelib asks where to install.
  haxe: bash`
export HAXELIB_PATH="$\{HAXELIB_PATH:-$HOME/haxelib}"
builtin command -p mkdir -p "$HAXELIB_PATH"`,
  // R ignores a folder that does not exist.
  r: bash`
export R_LIBS_USER="$\{R_LIBS_USER:-$HOME/R/Library}"
builtin command -p mkdir -p "$R_LIBS_USER"`,
}

/** Credentials in npm's settings: for a registry, or in an address. */
const credentials = [
  '^[[:space:]]*"?//',
  '^[[:space:]]*"?(key|cert|keyfile|certfile|username|email|otp)"?[[:space:]]*=',
  '^[^=]*(_auth|_password|token|secret)',
  '://[^/[:space:]]*@',
].join('|')

/**
 * The rest of a program that runs `$npm` with the job's own place for global packages. This place would
 * also move npm's global settings, so npm gets the machine's settings, without credentials.
 */
const npmWithOwnPrefix = bash`settings=$HOME/.service/npm/npmrc
if [ ! -e "$settings" ]; then
  grep -Eiv ${quote(credentials)} "$(cd / && "$npm" config get globalconfig)" >"$settings.$$" 2>/dev/null
  mv "$settings.$$" "$settings"
fi
export NPM_CONFIG_PREFIX="$HOME/.npm-global"
export NPM_CONFIG_GLOBALCONFIG="$\{NPM_CONFIG_GLOBALCONFIG:-$settings}"
exec "$npm" "$@"`

/**
 * Program text that gives packages a place in the job's own home, for every language: the machine's
 * places are not writable, and do not belong to the job.
 */
export const packageHomes = bash`
export GEM_HOME="$\{GEM_HOME:-$HOME/.gem}"
export PIP_BREAK_SYSTEM_PACKAGES="$\{PIP_BREAK_SYSTEM_PACKAGES:-1}"
export PATH="$GEM_HOME/bin:$HOME/.local/bin:$PATH"
# A variable would be enough, if nvm did not refuse to work where there is one.
__service_npm=$(builtin type -P npm)
if [[ $__service_npm && ! -w $\{__service_npm%/bin/npm}/lib ]]; then
  builtin command -p mkdir -p "$HOME/.service/npm" "$HOME/.npm-global/bin"
  builtin printf '#!/bin/sh\nnpm=%q\n%s\n' "$__service_npm" ${quote(npmWithOwnPrefix)} >"$HOME/.service/npm/npm"
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

/** Without modules, a package is found by its path below GOPATH, so the build continues there. */
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
  if (written !== undefined && isImportPath(written)) return written
  if ('url' in source) {
    const host = URL.canParse(source.url) ? new URL(source.url).hostname : ''
    return `${host || 'local'}/${slug}`
  }
  return pathOfOrigin(source.origin ?? '') ?? `local/${slug}`
}

/** Import path of the repository's address: packages are imported by it, wherever this copy is. */
function pathOfOrigin(origin: string): string | undefined {
  const [, host, path] = /^(?:\w+@)?([\w.-]+):([^/].*)$/.exec(origin) ?? []
  if (host !== undefined && path !== undefined) return packagePath(host, path)
  if (!URL.canParse(origin)) return undefined
  const { hostname, pathname } = new URL(origin)
  return packagePath(hostname, pathname)
}

function packagePath(host: string, path: string): string | undefined {
  const full = `${host}/${path.replace(/^\/+/, '').replace(/\/*(?:\.git)?\/*$/, '')}`
  return isImportPath(full) && full.includes('/') ? full : undefined
}

/** Whether a path stays in GOPATH: a part that leads upwards would leave it. */
function isImportPath(text: string): boolean {
  return /^[\w.~-]+(?:\/[\w.~-]+)*$/.test(text) && !text.split('/').includes('..')
}
