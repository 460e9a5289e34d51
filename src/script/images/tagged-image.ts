import type { JobConfig } from '../../domain/job/job.ts'
import { isNewer, type VersionSource } from './requested-version.ts'

/** The image of a version. */
export interface VersionImage {
  /** The version for the templates of operators. It names what is not the language's usual program. */
  version: string
  /** Absent if only operators can have an image. */
  image?: string
  /** For the log of the job. */
  note?: string
}

/** The values that choose an image, in addition to the version. */
export interface ImageContext {
  config: JobConfig
  files: ReadonlyMap<string, string>
}

/** How a language and its versions get an image. */
export interface LanguageImage {
  source: VersionSource
  /** The version of jobs that request none. */
  usual: string
  /** The image of a version in normal form; undefined if the makers of the language publish none. */
  find(version: string, context: ImageContext): VersionImage | undefined
  /** A key of build files that takes part in the version, in addition to the key of the source. */
  other_key?: string
  /** Files that the choice depends on, in addition to the version files. */
  besides?: readonly string[]
  /** Whether the distribution decides where no image is found. */
  or_dist?: true
}

interface Tags {
  /** Tags of values that are not version numbers. */
  names?: Readonly<Record<string, string>>
  /** What values can have before the number. */
  prefix?: RegExp
  oldest?: string
  /** The tag of a version number, if it is not the number. */
  tagOf?(version: string): string
}

/** Numbers with at most one addition for what comes before a release: `3.15.0b1`, `4.1.0-preview2`. */
const numbered = /^\d+(?:\.\d+){0,3}(?:-?(?:a|b|rc|alpha|beta|preview)[.-]?\d*)?$/

/** Values that request the newest version, whatever the language. */
const newest: ReadonlySet<string> = new Set(['stable', 'latest', 'current', 'release', 'x', '*'])

/** A language whose versions are tags of a single image. */
export function tagged(
  source: VersionSource,
  image: string,
  usual: string,
  tags: Tags = {},
): LanguageImage {
  return { source, usual, find: (version) => findTag(image, usual, version, tags) }
}

/** The image of a version; undefined if its tag cannot be known. */
export function findTag(
  image: string,
  usual: string,
  asked: string,
  { names = {}, prefix = /^(?:)/, oldest = '0', tagOf = (version) => version }: Tags = {},
): VersionImage | undefined {
  const named = Object.hasOwn(names, asked) ? names[asked] : undefined
  if (named !== undefined) return { version: named, image: `${image}:${named}` }
  if (newest.has(asked)) return { version: usual, image: `${image}:${usual}` }
  const version = asked.replace(prefix, '')
  const branch = /^(\d+\.\d+)-?(?:dev|snapshot)$/.exec(version)?.[1]
  if (branch !== undefined) return developed(image, branch, usual)
  if (!numbered.test(version) || isOlder(version, oldest)) return undefined
  const tag = tagOf(version)
  return { version: tag, image: `${image}:${tag}` }
}

/** Whether all releases of a version are older than another one: `2` may be `2.12`. */
function isOlder(version: string, than: string): boolean {
  return isNewer(than.split('.').slice(0, version.split('.').length).join('.'), version)
}

/** The released version of a branch, or else its candidate: no image has the branch itself. */
function developed(image: string, branch: string, released: string): VersionImage {
  const version = isNewer(branch, released) ? `${branch}-rc` : branch
  const name = `${image}:${version}`
  return {
    version,
    image: name,
    note: `No image has the development version of this branch: the job runs with ${name}.`,
  }
}
