import { mendDeprecatedKey } from './deprecated-key.ts'
import { mendDuplicateKey } from './duplicate-key.ts'
import type { Mending } from './fixer.ts'
import { renameKey } from './rename-key.ts'
import { replaceValue } from './replace-value.ts'
import { unwrapSequence } from './unwrap-sequence.ts'

/** By the code of the message. What is not here asks for a decision. */
export const mendings: Readonly<Record<string, Mending>> = {
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
  duplicate_key: mendDuplicateKey,
  deprecated_key: mendDeprecatedKey,
}
