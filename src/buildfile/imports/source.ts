import type { Composed } from '../compose/compose-text.ts'
import type { Source } from './merge.ts'
import type { ImportTarget } from './reference.ts'

/** A text that a configuration was made of (CF-12). */
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
  /** It is not there, or must not be had; code and arguments are those of a message. */
  | { kind: 'refused'; code: ImportRefusal; args: Record<string, unknown> }

export type ImportRefusal =
  | 'unknown_import'
  | 'invalid_ref'
  | 'invalid_ownership'
  | 'invalid_visibility'
  | 'import_not_allowed'

export type Load = (target: ImportTarget) => Promise<Loaded>
