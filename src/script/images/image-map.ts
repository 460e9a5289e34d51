import { readMap } from '../../buildfile/read-map.ts'
import type { Entry, Node } from '../../buildfile/tree/node.ts'
import { chooseLanguage } from '../language/choose-language.ts'
import { serviceTable } from '../services/service-table.ts'
import { isImageOrTemplate, isTemplate } from './image-reference.ts'
import { languageImages } from './language-images.ts'

const pulls = ['missing', 'always', 'never'] as const

/** When an image is fetched; `never` leaves it to the operator. */
export type Pull = (typeof pulls)[number]

/** An image that an operator chose; that of a language can be a template. */
export interface ImageRow {
  image: string
  pull?: Pull
}

/** The images for some or all repositories. */
export interface ImageRows {
  languages: ReadonlyMap<string, ImageRow>
  dists: ReadonlyMap<string, ImageRow>
  services: ReadonlyMap<string, ImageRow>
  /** The image of jobs for which neither the language nor the distribution chooses one. */
  fallback?: ImageRow
  pull?: Pull
}

export interface ImageMap extends ImageRows {
  repositories: readonly { pattern: string; rows: ImageRows }[]
}

/** The map of an operator who chose nothing. */
export const defaultImageMap: ImageMap = {
  languages: new Map(),
  dists: new Map(),
  services: new Map(),
  repositories: [],
}

/** The distributions that build files can name. */
const dists = [
  ...['precise', 'trusty', 'xenial', 'bionic', 'focal', 'jammy', 'noble', 'rhel8', 'server-2016'],
]

const repositoryPattern = /^[\w.*-]+\/[\w.*-]+$/

/** Why the map cannot be read. `at` is an offset in the text. */
class MapError extends Error {
  readonly at: number

  constructor(message: string, { start }: { start: number }) {
    super(message)
    this.at = start
  }
}

/**
 * Reads the setting IMAGES. Throws an error with one sentence that names the line and what is allowed.
 *
 * ```yaml
 * node_js: registry.example/ci/node:{version}  # a language with its versions
 * python:                                      # the same with its own `pull`
 *   image: registry.example/ci/python:{version}
 *   pull: always
 * smalltalk: registry.example/ci/pharo:9       # one image for all versions
 * dist:                                        # jobs without a language's image, by "dist"
 *   xenial: registry.example/ci/xenial:2
 * default: registry.example/ci/base:4          # such jobs without a "dist"
 * services:                                    # services, by their names
 *   postgresql: postgis/postgis:{version}-3.4
 * pull: missing                                # or `always`, or `never`
 * repositories:                                # any of these keys for some repositories
 *   acme/legacy-*:
 *     ruby: registry.example/ci/old-ruby:{version}
 *   acme/*:
 *     pull: always
 * ```
 *
 * All keys are optional. A row wins over the official images. `{version}` is the requested version in
 * normal form: lower case, `18` for `v18.x`, `lts` for `lts/*`, `17` for `openjdk17`. It contains the program
 * where a language has several: `jruby-9.4`, `pypy3.10`, `semeru-17`, `mono-6.12`, `ldc-1.40.1`, `gcc-13`;
 * and for Elixir the release of OTP, if one is requested: `1.15-otp-26`. A job that requests no version
 * gets the same one as with the official images.
 *
 * In `repositories` a `*` stands for any characters but `/`. The first pattern that fits counts; what its
 * rows leave out comes from the general rows. `pull` of a row wins over the one beside it.
 */
export function readImageMap(text: string): ImageMap {
  const { root, prepared, error } = readMap(text)
  if (error) {
    throw new Error(`line ${error.line}: ${[error.message, error.hint ?? []].flat().join(' ')}`)
  }
  try {
    const rows = rowsIn(root.entries.filter(({ key }) => key !== 'repositories'))
    const others = root.entries.filter(({ key }) => key === 'repositories')
    return { ...rows, repositories: others.flatMap(repositoriesIn) }
  } catch (problem) {
    if (!(problem instanceof MapError)) throw problem
    throw new Error(`line ${prepared.written(problem.at).line}: ${problem.message}`, {
      cause: problem,
    })
  }
}

function repositoriesIn(entry: Entry): ImageMap['repositories'] {
  refuseDuplicate(entry)
  return entriesOf(entry, 'patterns such as "acme/*", each with rows').map((each) => {
    if (!repositoryPattern.test(each.key)) {
      const allowed = 'write OWNER/NAME, where * stands for any part of a name'
      throw new MapError(`"${each.key}" is not a pattern of repositories: ${allowed}`, each.at)
    }
    return { pattern: each.key, rows: rowsIn(entriesOf(each, 'rows such as "node_js: IMAGE"')) }
  })
}

function rowsIn(entries: readonly Entry[]): ImageRows {
  const languages = new Map<string, ImageRow>()
  const ofDists = new Map<string, ImageRow>()
  const services = new Map<string, ImageRow>()
  const others: Partial<Pick<ImageRows, 'fallback' | 'pull'>> = {}
  for (const entry of entries) {
    refuseDuplicate(entry)
    if (entry.key === 'pull') others.pull = pullIn(entry)
    else if (entry.key === 'default') others.fallback = plainRow(entry)
    else if (entry.key === 'dist') {
      for (const each of entriesOf(entry, 'distributions, each with an image')) {
        ofDists.set(distIn(each), plainRow(each))
      }
    } else if (entry.key === 'services') {
      for (const each of entriesOf(entry, 'services, each with an image')) {
        services.set(serviceIn(each), rowIn(each))
      }
    } else languages.set(languageIn(entry), rowIn(entry))
  }
  return { languages, dists: ofDists, services, ...others }
}

function languageIn({ key, at }: Entry): string {
  if (Object.hasOwn(languageImages, key)) return key
  if (key === 'repositories') {
    throw new MapError('"repositories" cannot be in the rows of repositories', at)
  }
  const { name, note } = chooseLanguage({ language: key })
  if (Object.hasOwn(languageImages, name)) {
    throw new MapError(`"${key}" is another name of a language: write "${name}"`, at)
  }
  if (note === '') {
    throw new MapError(`language "${key}" has no image of its own: write "dist" or "default"`, at)
  }
  const others = ['dist', 'default', 'services', 'pull', 'repositories']
  const known = [...others, ...Object.keys(languageImages)].join(', ')
  throw new MapError(`there is no language or key "${key}": write one of ${known}`, at)
}

function distIn({ key, at }: Entry): string {
  if (dists.includes(key)) return key
  throw new MapError(`there is no dist "${key}": write one of ${dists.join(', ')}`, at)
}

function serviceIn({ key, at }: Entry): string {
  if (Object.hasOwn(serviceTable, key)) return key
  const known = Object.keys(serviceTable).join(', ')
  throw new MapError(`there is no service "${key}": write one of ${known}`, at)
}

/** A row that does not depend on a version. */
function plainRow(entry: Entry): ImageRow {
  const row = rowIn(entry)
  if (!isTemplate(row.image)) return row
  throw new MapError(
    `the image of "${entry.key}" cannot contain {version}, which only languages have`,
    entry.value,
  )
}

function rowIn(entry: Entry): ImageRow {
  if (entry.value.kind !== 'map') return { image: imageIn(entry) }
  const row: Partial<ImageRow> = {}
  for (const each of entry.value.entries) {
    refuseDuplicate(each)
    if (each.key === 'image') row.image = imageIn(each)
    else if (each.key === 'pull') row.pull = pullIn(each)
    else {
      const allowed = `"${entry.key}" has "image" and "pull"`
      throw new MapError(`there is no key "${each.key}" here: ${allowed}`, each.at)
    }
  }
  const { image } = row
  if (image !== undefined) return { ...row, image }
  throw new MapError(`"${entry.key}" has no image: add a line "image: NAME"`, entry.at)
}

function imageIn({ key, value }: Entry): string {
  const image = textOf(value)
  if (image !== undefined && isImageOrTemplate(image)) return image
  const shown = image === undefined ? `"${key}" must be` : `"${image}" is not`
  const allowed = 'write one such as registry.example/node:18 or registry.example/node:{version}'
  throw new MapError(`${shown} the name of an image: ${allowed}`, value)
}

function pullIn({ value }: Entry): Pull {
  const pull = pulls.find((each) => each === textOf(value))
  if (pull !== undefined) return pull
  throw new MapError(`"pull" must be one of ${pulls.join(', ')}`, value)
}

function textOf(node: Node): string | undefined {
  return node.kind === 'str' ? node.value : undefined
}

function entriesOf({ key, value }: Entry, needed: string): readonly Entry[] {
  if (value.kind !== 'map') throw new MapError(`"${key}" must be a mapping of ${needed}`, value)
  for (const entry of value.entries) refuseDuplicate(entry)
  return value.entries
}

function refuseDuplicate({ key, duplicate }: Entry): void {
  if (duplicate) throw new MapError(`"${key}" is duplicated: remove one of them`, duplicate)
}

/** The rows for one repository: those of the first pattern that fits, before the general ones. */
export function rowsFor({ repositories, ...general }: ImageMap, slug: string): ImageRows {
  const own = repositories.find(({ pattern }) => fits(pattern, slug))?.rows
  if (!own) return general
  const pull = own.pull ?? general.pull
  const fallback = own.fallback ?? general.fallback
  return {
    languages: new Map([...general.languages, ...own.languages]),
    dists: new Map([...general.dists, ...own.dists]),
    services: new Map([...general.services, ...own.services]),
    ...(pull === undefined ? {} : { pull }),
    ...(fallback === undefined ? {} : { fallback }),
  }
}

/** Code hosts ignore the case of slugs. */
function fits(pattern: string, slug: string): boolean {
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll('.', '\\.'))
  return new RegExp(`^${parts.join('[^/]*')}$`, 'i').test(slug)
}
