import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { isNewer, normalVersion, sourceOf } from './requested-version.ts'
import { findTag, type LanguageImage, tagged, type VersionImage } from './tagged-image.ts'

// Languages whose versions are more than the tags of one image.

const usualPython = '3.14'

/** PyPy is chosen by its version of Python; its newest release with that version counts. */
function findPython(asked: string): VersionImage | undefined {
  const [isPyPy, python = '2.7', release] =
    /^pypy(\d(?:\.\d+)?)?(?:-v?(\d[\d.]*))?$/.exec(asked) ?? []
  if (isPyPy === undefined) {
    const names = { nightly: '3.15-rc' }
    return findTag('python', usualPython, asked, { names, prefix: /^python-?/ })
  }
  const tag = python === '2' ? '2.7' : python
  const found = { version: `pypy${tag}`, image: `pypy:${tag}` }
  if (release === undefined) return found
  const note = `The image ${found.image} has the newest PyPy for its Python, which may not be ${release}.`
  return { ...found, note }
}

export const python: LanguageImage = {
  source: sourceOf('python'),
  usual: usualPython,
  find: findPython,
}

const usualRuby = '4.0'

function findRuby(asked: string): VersionImage | undefined {
  const version = asked.replace(/@.*/s, '')
  if (version === 'jruby') return { version, image: 'jruby:jdk' }
  const jruby = /^jruby-(\d+(?:\.\d+){0,3})$/.exec(version)?.[1]
  if (jruby !== undefined) return { version, image: `jruby:${jruby}-jdk` }
  return findTag('ruby', usualRuby, version.replace(/-p-?\d+$/, ''), { prefix: /^ruby-/ })
}

export const ruby: LanguageImage = { source: sourceOf('ruby'), usual: usualRuby, find: findRuby }

const usualRust = '1'
const rustup = /^(?:beta|nightly)(?:-\d{4}-\d{2}-\d{2})?$/

/** The image of stable Rust has rustup, which can install the other toolchains. */
function findRust(asked: string): VersionImage | undefined {
  const version = asked.replace(/-(?:x86_64|aarch64|i686)-.*$/s, '')
  if (!rustup.test(version)) return findTag('rust', usualRust, version)
  const image = `rust:${usualRust}`
  return {
    version,
    image,
    note: `The image ${image} has no toolchain "${version}", which its rustup can install.`,
  }
}

export const rust: LanguageImage = { source: sourceOf('rust'), usual: usualRust, find: findRust }

const usualElixir = '1.20'

/** The oldest release of OTP, from a version of Elixir on. */
const leastOtp = [
  ['1.8', 20],
  ['1.6', 19],
  ['1.2', 18],
] as const

function findElixir(asked: string, { config }: { config: JobConfig }): VersionImage | undefined {
  const [, elixir = '', ownOtp] = /^(.*?)(?:-otp-(\d+))?$/s.exec(asked) ?? []
  const release = firstText(config.otp_release)
  const otp = ownOtp ?? (release === undefined ? '' : /^\d+/.exec(normalVersion(release))?.[0])
  const found = findTag('elixir', usualElixir, elixir)
  // There are no tags of a major version alone, nor of old releases such as R16B.
  if (otp === undefined || found === undefined || !found.version.includes('.')) return undefined
  if (otp === '') return found
  const least = leastOtp.find(([from]) => !isNewer(from, found.version))?.[1] ?? 0
  const raised = Number(otp) < least
  const version = `${found.version}-otp-${raised ? least : otp}`
  const note = raised ? { note: `Elixir ${found.version} needs OTP ${least} or later.` } : {}
  return { ...found, version, image: `elixir:${version}`, ...note }
}

export const elixir: LanguageImage = {
  source: sourceOf('elixir'),
  usual: usualElixir,
  find: findElixir,
  other_key: 'otp_release',
}

const usualPerl = '5.44'

function perlTag(version: string): string {
  // YAML reads an unquoted 5.10 as a number.
  return /^5\.[1-4]$/.test(version) ? `${version}0` : version
}

function findPerl(asked: string): VersionImage | undefined {
  const [, version = '', threads] =
    /^(.*?)(-thr(?:eaded)?)?(?:-(?:shrplib|extras))*$/s.exec(asked) ?? []
  const found = findTag('perl', usualPerl, version, { tagOf: perlTag })
  if (found === undefined || threads === undefined) return found
  return { version: `${found.version}-threaded`, image: `${found.image}-threaded` }
}

export const perl: LanguageImage = { source: sourceOf('perl'), usual: usualPerl, find: findPerl }

const usualR = '4.6.1'

/** The official image has only tags of whole versions. */
function findR(asked: string): VersionImage | undefined {
  const series = asked === 'oldrel' ? '4.5' : asked
  if (series === 'devel' || /^\d+\.\d+$/.test(series)) {
    return { version: series, image: `rocker/r-ver:${series}` }
  }
  if (/^\d+$/.test(asked)) return undefined
  return findTag('r-base', usualR, asked, { names: { release: 'latest', latest: 'latest' } })
}

export const r: LanguageImage = { source: sourceOf('r'), usual: usualR, find: findR }

const usualMono = '6.12'

export const mono: LanguageImage = {
  source: sourceOf('csharp'),
  usual: usualMono,
  find(asked) {
    const found = findTag('mono', usualMono, asked)
    return found && { ...found, version: `mono-${found.version}` }
  },
}

export const dotnet = tagged(sourceOf('dotnet'), 'mcr.microsoft.com/dotnet/sdk', '10.0', {
  tagOf: (version) => (/^\d+$/.test(version) ? `${version}.0` : version),
})

function findD(asked: string): VersionImage | undefined {
  const [, compiler, version] = /^(dmd|ldc)(?:-(\d+(?:\.\d+){0,2}|latest))?$/.exec(asked) ?? []
  if (compiler === undefined) return undefined
  return { version: asked, image: `dlang2/${compiler}-ubuntu:${version ?? 'latest'}` }
}

export const d: LanguageImage = { source: { key: 'd' }, usual: 'dmd', find: findD }

/** Compilers without a number are those of the distribution, if it has them. */
function findCompiler(asked: string): VersionImage | undefined {
  const version = asked.replace(/^g\+\+/, 'gcc').replace(/^clang\+\+/, 'clang')
  const [, name, number] = /^(gcc|clang)(?:-(\d+(?:\.\d+){0,2}))?$/.exec(version) ?? []
  if (name === 'clang') return { version, image: `silkeh/clang:${number ?? '21'}` }
  if (name === undefined || number === undefined) return { version }
  return { version, image: `gcc:${number}` }
}

export const compiler: LanguageImage = {
  source: { key: 'compiler' },
  usual: 'gcc',
  find: findCompiler,
  or_dist: true,
}
