import { candidatesFrom } from '../../misspellings/misspelling.ts'
import { perType } from './per-type.ts'
import type { BoolType, EnumValue, StrType } from './type.ts'

export const enumValues = perType(
  ({ values = [] }: StrType | BoolType): ReadonlyMap<EnumValue['value'], EnumValue> =>
    new Map(values.map((known) => [known.value, known])),
)

export const enumAliases = perType(
  ({ values = [] }: StrType): ReadonlyMap<string, string> =>
    new Map(
      values.flatMap(({ value, aliases = [] }) =>
        aliases.map((alias) => [alias, String(value)] as const),
      ),
    ),
)

/** The values that a misspelt value may have been meant to be, without aliases. */
export const enumCandidates = perType(({ values = [] }: StrType) =>
  candidatesFrom(values.map(({ value }) => String(value))),
)
