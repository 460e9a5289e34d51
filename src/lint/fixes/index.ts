import { fixDeprecatedKey } from './deprecated-key.ts'
import { fixDuplicateKey } from './duplicate-key.ts'
import type { Fixer } from './fixer.ts'
import { quoteEntry } from './quote-entry.ts'
import { renameKey } from './rename-key.ts'
import { replaceValue } from './replace-value.ts'
import { unwrapSequence } from './unwrap-sequence.ts'

/** Fixers by message code. Messages without a fixer need a decision. */
export const fixers: Readonly<Record<string, Fixer>> = {
  alias_key: renameKey,
  overwrite: renameKey,
  strip_key: renameKey,
  underscore_key: renameKey,
  clean_key: renameKey,
  find_key: renameKey,
  alias_value: replaceValue,
  downcase: replaceValue,
  find_value: replaceValue,
  clean_value: replaceValue,
  unexpected_seq: unwrapSequence,
  invalid_type: quoteEntry,
  duplicate_key: fixDuplicateKey,
  deprecated_key: fixDeprecatedKey,
}
