import type { Composed } from '../compose/compose-text.ts'
import type { Source } from './merge.ts'
import type { ImportTarget } from './reference.ts'

/** All files of a build together: API configurations, the build file and all imports (CF-43). */
export const maximumSources = 25

/** A text that a configuration consists of (CF-12). */
export interface Raw {
  /** `owner/name:path@ref`, or `api`. */
  source: string
  sha: string | null
  text: string
  merge_mode: string | null
}

/** What is read without being imported: API configurations, then the build file. */
export interface Start {
  file: Composed
  raw: Raw
  /** What messages call it; null for the build file itself. */
  src: string | null
  /** Null for an API configuration, which alone may have a `merge_mode`. */
  path: string | null
}

export interface CollectedSource extends Source {
  file: Composed
  raw: Raw
}

/** What came of fetching a file. */
export type Loaded =
  | { kind: 'loaded'; text: string; source: string; sha: string }
  /** There is no such file, as far as users of this build can know. */
  | { kind: 'missing' }
  | { kind: 'refused'; refusal: Refusal }

/** Why a file must not be imported (CF-44); code and arguments are those of a message. */
export type Refusal =
  | { code: 'invalid_visibility' | 'import_not_allowed'; args: { repo: string } }
  | { code: 'invalid_ownership'; args: { owner: string } }

export type Load = (target: ImportTarget) => Promise<Loaded>
