import { isMap } from '../../domain/config/config-value.ts'
import { shownText } from '../images/requested-version.ts'
import { bash, quote } from '../shell/bash.ts'
import { renderPhase, say, type ScriptStep } from '../steps.ts'

/** Sources of packages in addition to the distribution: a line for apt, or an archive of Launchpad. */
interface AptSource {
  line: string
  key_url?: string
}

export interface AptRequest {
  sources: readonly AptSource[]
  packages: readonly string[]
  /** Sentences on the parts that were left out. */
  notes: readonly string[]
}

/** What an add-on asks apt for: a list of packages, or a mapping with `packages` and `sources`. */
export function aptRequest(value: unknown): AptRequest {
  const { packages, sources, enabled } = isMap(value) ? value : { packages: value }
  if (enabled === false) return { sources: [], packages: [], notes: [] }
  const asked = [sources].flat().map(sourceOf)
  const names = textsIn(packages)
  const usable = names.filter((name) => /^[a-z\d][\w.+:~=*/-]*$/i.test(name))
  const unusable = names.filter((name) => !usable.includes(name))
  return {
    sources: asked.flatMap((source) => (source && 'line' in source ? source : [])),
    packages: usable,
    notes: [
      ...asked.flatMap((source) => (source && 'note' in source ? source.note : [])),
      ...unusable.map((name) => `"${shownText(name)}" in addons.apt is not the name of a package.`),
    ],
  }
}

/** One request for all packages of a job, because each reading of the lists takes seconds. */
export function joined(requests: readonly AptRequest[]): AptRequest {
  return {
    sources: requests.flatMap(({ sources }) => sources),
    packages: [...new Set(requests.flatMap(({ packages }) => packages))],
    notes: requests.flatMap(({ notes }) => notes),
  }
}

export function textsIn(value: unknown): string[] {
  return [value]
    .flat()
    .flatMap((each) => (typeof each === 'string' ? each.split(/\s+/) : []))
    .filter((each) => each !== '')
}

const chromeLine = {
  line: 'deb [arch=amd64] https://dl.google.com/linux/chrome/deb/ stable main',
  key_url: 'https://dl.google.com/linux/linux_signing_key.pub',
}

/** The package of a browser that Google publishes for Debian and Ubuntu. */
export function chromeRequest(channel: string): AptRequest {
  const name = channel === 'beta' ? 'google-chrome-beta' : 'google-chrome-stable'
  return { sources: [chromeLine], packages: [name], notes: [] }
}

const known: Readonly<Record<string, AptSource>> = {
  deadsnakes: { line: 'ppa:deadsnakes/ppa' },
  'google-chrome': chromeLine,
  'ubuntu-toolchain-r-test': { line: 'ppa:ubuntu-toolchain-r/test' },
}

function sourceOf(value: unknown): AptSource | { note: string } | undefined {
  if (typeof value === 'string') return sourceNamed(value)
  if (!isMap(value)) return undefined
  const { name, sourceline, key_url } = value
  if (typeof sourceline === 'string') {
    return typeof key_url === 'string' ? { line: sourceline, key_url } : { line: sourceline }
  }
  return typeof name === 'string' ? sourceNamed(name) : undefined
}

function sourceNamed(name: string): AptSource | { note: string } {
  if (/^(?:ppa:|deb )/.test(name)) return { line: name }
  const found = Object.hasOwn(known, name) ? known[name] : undefined
  if (found) return found
  const [, dist, version = ''] = /^llvm-toolchain-([a-z]+)((?:-[\d.]+)?)$/.exec(name) ?? []
  if (dist !== undefined) {
    return {
      line: `deb https://apt.llvm.org/${dist}/ llvm-toolchain-${dist}${version} main`,
      key_url: 'https://apt.llvm.org/llvm-snapshot.gpg.key',
    }
  }
  const remedy = 'write its "sourceline" and "key_url" instead'
  return { note: `The source "${shownText(name)}" of addons.apt is unknown here: ${remedy}.` }
}

/** Program text that installs packages in a container, or ends the job. */
export function aptProgram({ sources, packages, notes }: AptRequest): string {
  if (sources.length === 0 && packages.length === 0) return notes.map(noted).join('\n')
  const steps: ScriptStep[] = [
    { run: 'apt-get update -qq -o Acquire::Retries=3' },
    ...(packages.length === 0 ? [] : [{ run: install(packages) }]),
  ]
  return [
    notes.map(noted).join('\n'),
    needsApt,
    helpers,
    ...sources.map(({ line, key_url }, at) => {
      const name = `service-${at + 1}`
      const [, owner, archive] = /^ppa:([\w.+-]+)\/([\w.+-]+)$/.exec(line) ?? []
      if (owner !== undefined && archive !== undefined) {
        return `__service_ppa ${[name, owner, archive].map(quote).join(' ')}`
      }
      return `__service_source ${[name, line, key_url ?? ''].map(quote).join(' ')}`
    }),
    'export DEBIAN_FRONTEND=noninteractive',
    renderPhase({ name: 'apt', kind: 'assert', folded: true, steps }),
    'unset DEBIAN_FRONTEND',
    'unset -f __service_ppa __service_source __service_fetch __service_key',
  ].join('\n')
}

const noted = (text: string) => say('yellow', text)

/** Quoted only where needed: the line is shown. */
function install(packages: readonly string[]): string {
  const words = packages.map((name) => (/^[\w.+:~=/-]+$/.test(name) ? name : quote(name)))
  return `apt-get install -yq --no-install-recommends -- ${words.join(' ')}`
}

const needsApt = `if ! builtin type -P apt-get >/dev/null; then
  __service_lacks ${quote('.service.yml asks for packages of apt, and the image of this job has no apt-get: name a "dist", or have an administrator name another image in IMAGES.')}
elif ((EUID != 0)); then
  __service_lacks ${quote('.service.yml asks for packages of apt, which only root can install: have an administrator remove JOB_USER, or name an image that has them in IMAGES.')}
fi`

const helpers = bash`
__service_fetch() { # address
  if builtin type -P curl >/dev/null; then curl -fsSL --retry 3 -m 60 "$1"; else wget -qO- -T 60 "$1"; fi
}

__service_key() { # name, content of a key
  builtin printf '%s\n' "$2" >"/etc/apt/trusted.gpg.d/$1.asc"
}

__service_source() { # name, line, address of its key
  local line=$2 key=/etc/apt/trusted.gpg.d/$1
  if [[ $line != deb* ]]; then line="deb $line"; fi
  builtin printf 'Source: %s\n' "$line"
  if [[ $3 ]]; then
    # Keys are texts or bytes, which apt tells by the name of the file.
    if ! __service_fetch "$3" >"$key"; then
      __service_lacks "The key of a source in addons.apt cannot be fetched from $3."
    fi
    if [[ $(command -p head -c 10 "$key" 2>/dev/null | command -p tr -d '\0') == -----BEGIN ]]; then
      command -p mv "$key" "$key.asc"
    else
      command -p mv "$key" "$key.gpg"
    fi
  fi
  builtin printf '%s\n' "$line" >"/etc/apt/sources.list.d/$1.list"
}

__service_ppa() { # name, owner, archive
  local key
  if [[ $(__service_release ID) != ubuntu ]]; then
    __service_say yellow "The source ppa:$2/$3 of addons.apt is for Ubuntu, and is left out in this image."
    return
  fi
  builtin printf 'Source: ppa:%s/%s\n' "$2" "$3"
  key=$(__service_fetch "https://api.launchpad.net/devel/~$2/+archive/ubuntu/$3?ws.op=getSigningKeyData")
  if [[ $key != *BEGIN* ]]; then
    __service_lacks "The key of ppa:$2/$3 in addons.apt cannot be fetched from api.launchpad.net."
  fi
  key=$\{key//\"/}
  __service_key "$1" "$(builtin printf '%b' "$key")"
  builtin printf 'deb https://ppa.launchpadcontent.net/%s/%s/ubuntu %s main\n' \
    "$2" "$3" "$(__service_release VERSION_CODENAME)" >"/etc/apt/sources.list.d/$1.list"
}
`
