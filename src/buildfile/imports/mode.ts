/** How a source is merged with those above it. */
export const mergeModes = [
  'deep_merge_append',
  'deep_merge_prepend',
  'deep_merge',
  'merge',
  'replace',
] as const

export type MergeMode = (typeof mergeModes)[number]

export const defaultMode: MergeMode = 'deep_merge_append'

export function isMergeMode(text: unknown): text is MergeMode {
  return mergeModes.some((mode) => mode === text)
}

/** Only an API configuration may leave out the sources below it. */
export function isImportMode(text: unknown): text is Exclude<MergeMode, 'replace'> {
  return isMergeMode(text) && text !== 'replace'
}

/** How a mode or a tag merges maps and sequences. */
export interface Merging {
  /** Maps: the higher map alone, its keys together with the lower map's keys, or merged at all levels. */
  maps: 'replace' | 'merge' | 'deep'
  /** Sequences: the higher sequence alone, or appended or prepended to the lower. */
  seqs: 'replace' | 'append' | 'prepend'
}

const modes: Readonly<Record<MergeMode, Merging>> = {
  deep_merge_append: { maps: 'deep', seqs: 'append' },
  deep_merge_prepend: { maps: 'deep', seqs: 'prepend' },
  deep_merge: { maps: 'deep', seqs: 'replace' },
  merge: { maps: 'merge', seqs: 'replace' },
  replace: { maps: 'replace', seqs: 'replace' },
}

export const mergingOf = (mode: MergeMode): Merging => modes[mode]

const tagForm =
  /^(?:(?:map|seq)\+)?(?:(replace|merge|deep_merge)(?:\+(append|prepend))?|(append|prepend))$/

/** Reads a tag such as `map+deep_merge+append`; undefined for unknown tags. */
export function mergingOfTag(tag: string): Merging | undefined {
  const found = tagForm.exec(tag)
  if (!found) return undefined
  const [, maps, behind, alone] = found
  const seqs = (behind ?? alone ?? 'replace') as Merging['seqs']
  if (maps === 'replace' || maps === 'merge') return { maps, seqs }
  return { maps: 'deep', seqs }
}
