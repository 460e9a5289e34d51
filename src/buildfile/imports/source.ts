import type { Composed } from '../compose/compose-text.ts'
import type { ImportSource } from './merge.ts'
import type { ImportTarget } from './reference.ts'

/** Maximum files of a build in total: API configurations, the build file and all imports (CF-43). */
export const maximumSources = 25

/** A text that a configuration consists of (CF-12). */
export interface Raw {
  /** `owner/name:path@ref`, or `api`. */
  source: string
  sha: string | null
  text: string
  merge_mode: string | null
}

/** A source that is read without an import: API configurations, then the build file. */
export interface Start {
  file: Composed
  raw: Raw
  /** The source's name in messages; null for the build file itself. */
  src: string | null
  /** Null for an API configuration, which alone may have a `merge_mode`. */
  path: string | null
}

export interface CollectedSource extends ImportSource {
  file: Composed
  raw: Raw
}

/** The result of fetching a file. */
export type Loaded =
  | { kind: 'loaded'; text: string; source: string; sha: string }
  /** The file does not exist, as far as users of this build can know. */
  | { kind: 'missing' }
  | { kind: 'refused'; refusal: Refusal }

/** Why a file must not be imported (CF-44); code and arguments as in a message. */
export type Refusal =
  | { code: 'invalid_visibility' | 'import_not_allowed'; args: { repo: string } }
  | { code: 'invalid_ownership'; args: { owner: string } }

export type Load = (target: ImportTarget) => Promise<Loaded>
