import type { JobConfig } from '../../domain/job/job.ts'
import { firstText } from '../first-text.ts'
import { chooseLanguage } from '../language/choose-language.ts'
import { type ImageMap, type ImageRow, type ImageRows, type Pull, rowsFor } from './image-map.ts'
import { fillTemplate, isImage, isTemplate } from './image-reference.ts'
import { languageImage } from './language-images.ts'
import {
  isNewer,
  type RequestedVersion,
  shownText,
  versionFiles,
  versionInConfig,
  versionInFiles,
} from './requested-version.ts'
import type { LanguageImage } from './tagged-image.ts'

/** `lacks`: one sentence with the requested version, the found ones, and the remedy. */
export type ChosenImage = { image: string; pull: Pull; note?: string } | { lacks: string }

export interface ImageRequest {
  /** Files of the checkout's root folder whose text the choice depends on; empty if it depends on none. */
  files: readonly string[]
  /** `files` has the text of those that exist. */
  choose(files: ReadonlyMap<string, string>): ChosenImage
}

interface Given {
  /** The repository, as `owner/name`. */
  slug: string
  /** The keys of the config that only have their defaults: they request nothing. */
  assumed: readonly string[]
  map: ImageMap
}

/** A job whose language decides its image. */
interface LanguageJob {
  name: string
  language: LanguageImage
  config: JobConfig
  rows: ImageRows
  /** The distribution that the file names. */
  dist: string | undefined
}

/** How the image of a job is chosen: by the rows of the operator, its language, or its distribution. */
export function imageRequest(config: JobConfig, { slug, assumed, map }: Given): ImageRequest {
  const rows = rowsFor(map, slug)
  const named = assumed.includes('dist') ? undefined : firstText(config.dist)
  const dist = named && shownText(named).toLowerCase()
  const { name } = chooseLanguage(config)
  const language = languageImage(name, config)
  if (!language || (assumed.includes('language') && !needsLanguage(language, config))) {
    return { files: [], choose: () => imageOfDist(dist, rows) }
  }
  const job = { name, language, config, rows, dist }
  return { files: filesOf(job), choose: (files) => imageOfLanguage(job, files) }
}

/** Whether a job uses a language that no one wrote: by its version, or by its default commands. */
function needsLanguage({ source: { key } }: LanguageImage, config: JobConfig): boolean {
  return (key !== undefined && firstText(config[key]) !== undefined) || isBlank(config.script)
}

function isBlank(script: unknown): boolean {
  if (Array.isArray(script)) return script.every(isBlank)
  return script === undefined || script === null || (typeof script === 'string' && !script.trim())
}

function filesOf({ name, language, config, rows }: LanguageJob): string[] {
  const row = rows.languages.get(name)
  if (row && !isTemplate(row.image)) return []
  const isAsked = versionInConfig(language.source, config) !== undefined
  return [
    ...(isAsked ? [] : versionFiles(language.source)),
    ...(row ? [] : (language.besides ?? [])),
  ]
}

function imageOfLanguage(job: LanguageJob, files: ReadonlyMap<string, string>): ChosenImage {
  const { name, language, config, rows, dist } = job
  const row = rows.languages.get(name)
  if (row && !isTemplate(row.image)) return chosen(row, rows, distNote(job))
  const asked = versionInConfig(language.source, config) ?? versionInFiles(language.source, files)
  const version = versionFor(asked, language.usual)
  const found = language.find(version, { config, files })
  if (row) {
    const image = fillTemplate(row.image, found?.version ?? version)
    if (image === undefined) return { lacks: unusableVersion(job, asked) }
    return chosen({ ...row, image }, rows, distNote(job))
  }
  if (found?.image !== undefined && isImage(found.image)) {
    return chosen({ image: found.image }, rows, found.note, distNote(job))
  }
  if (language.or_dist) return imageOfDist(dist, rows)
  return { lacks: missingImage(job, asked) }
}

/** If later versions are accepted too, the usual version is used, unless it is older than the requested one. */
function versionFor(asked: RequestedVersion | undefined, usual: string): string {
  if (asked === undefined) return usual
  return asked.or_later && !isNewer(asked.version, usual) ? usual : asked.version
}

const usualDist = 'noble'

/** Distributions with an official image on which packages can still be installed. */
const officialDists = ['trusty', 'xenial', 'bionic', 'focal', 'jammy', 'noble']

function imageOfDist(dist: string | undefined, rows: ImageRows): ChosenImage {
  const row = dist === undefined ? rows.fallback : rows.dists.get(dist)
  if (row) return chosen(row, rows)
  const name = dist ?? usualDist
  if (officialDists.includes(name)) return chosen({ image: `buildpack-deps:${name}` }, rows)
  return {
    lacks:
      `.service.yml asks for "dist: ${name}", which has no official image: name another one, such as ` +
      `"${usualDist}", or have an administrator add it to "dist" in the setting IMAGES.`,
  }
}

function chosen(
  { image, pull }: ImageRow,
  rows: ImageRows,
  ...notes: readonly (string | undefined)[]
): ChosenImage {
  const note = notes.filter((each) => each !== undefined).join(' ')
  const found = { image, pull: pull ?? rows.pull ?? 'missing' }
  return note === '' ? found : { ...found, note }
}

function distNote({ name, dist }: LanguageJob): string | undefined {
  if (dist === undefined) return undefined
  return `"dist: ${dist}" has no effect: the image is that of language "${name}".`
}

function missingImage(job: LanguageJob, asked: RequestedVersion | undefined): string {
  const { name, language } = job
  const remedy = `have an administrator add "${name}" to the setting IMAGES`
  const usual = language.find(language.usual, { config: {}, files: new Map() })
  if (usual?.image === undefined) {
    return `Language "${name}" has no official image: ${remedy}, or change "language" in .service.yml.`
  }
  return (
    `${requestOf(job, asked)}, which no official image of language "${name}" has: ask for a version ` +
    `such as "${language.usual}", or ${remedy}.`
  )
}

function unusableVersion(job: LanguageJob, asked: RequestedVersion | undefined): string {
  return (
    `${requestOf(job, asked)}, which cannot be part of the name of an image: ask for a version such as ` +
    `"${job.language.usual}".`
  )
}

/** The beginning of a sentence: the file, and what it asks for. */
function requestOf({ language, config }: LanguageJob, asked: RequestedVersion | undefined): string {
  const other = language.other_key
  const text = other === undefined ? undefined : firstText(config[other])
  const parts = [
    asked?.asked ?? [],
    text === undefined ? [] : `${other}: ${shownText(text)}`,
  ].flat()
  return `${asked?.file ?? '.service.yml'} asks for "${parts.join(', ')}"`
}
