import { grouped } from '../../domain/grouped.ts'

/** Remaining work after an import, or a part that will behave differently. */
export interface Difference {
  kind: DifferenceKind
  file: string
  /** From 1; null for the file as a whole. */
  line: number | null
  text: string
}

export type DifferenceKind = keyof typeof headings

/** In the order in which they are listed. */
export const headings = {
  secret: 'Secrets to encrypt again',
  machine: 'Jobs for other operating systems or processors',
  key: 'Keys without effect here',
  name: 'Names without a counterpart here',
  other: 'Other differences',
  unchanged: 'Files that were left as they are',
} as const

/** Merges equal texts in one file into one difference at the first line. */
export function withoutRepeats(differences: readonly Difference[]): Difference[] {
  const alike = grouped(differences, ({ kind, file, text }) => JSON.stringify([kind, file, text]))
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? []
    return { ...first, text: `${first.text} (in ${others.length + 1} places)` }
  })
}
