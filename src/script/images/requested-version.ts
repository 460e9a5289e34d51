import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { type LanguageTool, languagePrograms } from '../language/language-programs.ts'

/** Where a job can request the version of a language. */
export type VersionSource = Pick<LanguageTool, 'key' | 'asdf' | 'files'>

export const sourceOf = (language: string): VersionSource => languagePrograms[language] ?? {}

export interface RequestedVersion {
  /** The file that requests it. */
  file: string
  /** The request as written in that file, shortened: `node_js: 8`. */
  asked: string
  /** In normal form, see `normalVersion`. */
  version: string
  /** Whether later versions meet the request as well. */
  or_later?: true
}

/** The version that a build file requests; undefined if any will do. */
export function versionInConfig(
  { key }: VersionSource,
  config: JobConfig,
): RequestedVersion | undefined {
  const asked = key === undefined ? undefined : firstText(config[key])
  if (asked === undefined) return undefined
  const version = normalVersion(asked)
  if (noVersion.has(version)) return undefined
  return { file: '.service.yml', asked: `${key}: ${shownText(asked)}`, version }
}

/** Values that leave the version to the machine. */
const noVersion: ReadonlySet<string> = new Set(['', 'default', 'system'])

/** The version files of a language, in the order in which they count. */
export function versionFiles({ asdf, files = [] }: VersionSource): string[] {
  return asdf === undefined ? [] : [...files, '.tool-versions']
}

/**
 * The version that a version file requests. The first file that names a version counts, and in it the first
 * one, as in `shell/shell-versions.ts`.
 */
export function versionInFiles(
  source: VersionSource,
  texts: ReadonlyMap<string, string>,
): RequestedVersion | undefined {
  for (const file of versionFiles(source)) {
    for (const line of (texts.get(file) ?? '').split('\n')) {
      const found = versionInLine(file, line.replace(/#.*/s, ''), source.asdf ?? '')
      if (found === undefined) continue
      return noVersion.has(found.version) ? undefined : found
    }
  }
  return undefined
}

function versionInLine(file: string, line: string, asdf: string): RequestedVersion | undefined {
  const [word = '', next = ''] = shownText(line).split(' ')
  const found = (asked: string, text = asked): RequestedVersion => ({
    file,
    asked,
    version: normalVersion(text.replace(/@.*/s, '')),
  })
  if (file === 'go.mod') {
    const least = word === 'go' ? /^\d+(?:\.\d+)*/.exec(next)?.[0] : undefined
    return least === undefined ? undefined : { ...found(`go ${next}`, least), or_later: true }
  }
  if (file === '.tool-versions') {
    if (next === '' || !new RegExp(`^(?:${asdf})$`).test(word)) return undefined
    return found(`${word} ${next}`, word === 'java' ? majorOfJava(next) : next)
  }
  if (file.startsWith('rust-toolchain')) {
    const channel = /channel\s*=\s*["']([^"']+)["']/.exec(line)?.[1]
    if (channel !== undefined) return found(shownText(channel))
    if (file.endsWith('.toml') || /[=[]/.test(line)) return undefined
  }
  return word === '' ? undefined : found(word)
}

/** Version managers name a release by its maker and build: `temurin-17.0.9+9`. */
function majorOfJava(version: string): string {
  return /^(?:[a-z_-]*-)?(\d+)(?:[.+_].*)?$/.exec(version)?.[1] ?? version
}

/** A length that no tag exceeds. */
const longest = 150

/** Lower case, without a leading `v` and a trailing `.x`. */
export function normalVersion(text: string): string {
  return text
    .trim()
    .slice(0, longest)
    .toLowerCase()
    .replace(/^v(?=\d)/, '')
    .replace(/(?:\.[x*])+$/, '')
}

/** A text from a repository for a line of a log: printable, on one line, and not long. */
export function shownText(text: string): string {
  return text
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 100)
}

/** Whether the first of two versions is newer by its numbers. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [numbersOf(version), numbersOf(than)]
  const at = [0, 1, 2, 3].find((at) => (one[at] ?? 0) !== (other[at] ?? 0))
  return at !== undefined && (one[at] ?? 0) > (other[at] ?? 0)
}

function numbersOf(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number)
}
