import { type Draft, type Root, valueOf } from './drafts/draft.ts'
import type { Dropped } from './rules/dropped.ts'
import type { Judge } from './rules/judge.ts'
import type { Skips } from './rules/skips.ts'
import { isMap } from '../../domain/config-value.ts'
import { type Config, listOf } from './values.ts'

export interface FileStage {
  /** As spelled where it is named first. */
  name: string
  /** Its entry in the section `stages`, or what one would say. */
  entry: Config
}

/** Empty is the name of an entry that has none. */
interface StageEntry extends FileStage {
  /** Its index in the section, from 0. */
  index: number
}

export interface Staged {
  draft: Draft
  /** The index of its stage; 0 in a build without stages. */
  stage: number
}

export interface Staging {
  /** Those that have jobs, in order. */
  stages: FileStage[]
  staged: Staged[]
  dropped: Dropped[]
}

/** Sets the stage of each job, where there are any (rules 18.1 to 18.3). */
export function stage(root: Root, drafts: readonly Draft[], judge: Judge, skips: Skips): Staging {
  const section = sectionOf(root.config)
  if (listOf(root.config.stages).length === 0 && namesIn(root, drafts).length === 0) {
    return { stages: [], staged: drafts.map((draft) => ({ draft, stage: 0 })), dropped: [] }
  }
  const spelled = stagesOf(section, namesIn(root, drafts)).get('test')?.name ?? 'test'
  for (const draft of drafts) if (!nameIn(root, draft)) draft.own.set('stage', spelled)

  const skipped = skippedOf(section, judge, skips)
  const entryOf = (draft: Draft) => skipped.get(folded(nameIn(root, draft)))
  const dropped = drafts.flatMap((draft): Dropped[] => {
    const skipping = entryOf(draft)
    if (!skipping) return []
    const { name, entry, index } = skipping
    return [{ draft, why: { kind: 'stage', entry: index, stage: name, condition: entry.if } }]
  })
  const left = drafts.filter((draft) => !entryOf(draft))
  return { ...placed(root, section, left), dropped }
}

function placed(root: Root, section: readonly StageEntry[], drafts: readonly Draft[]) {
  const names = namesIn(root, drafts)
  const used = new Set(names.map(folded))
  const stages = [...stagesOf(section, names)].filter(([name]) => used.has(name))
  const indices = new Map(stages.map(([name], index) => [name, index]))
  const staged = drafts.map((draft) => ({
    draft,
    stage: indices.get(folded(nameIn(root, draft))) ?? 0,
  }))
  return { stages: stages.map(([, stage]) => stage), staged }
}

function sectionOf({ stages }: Config): StageEntry[] {
  return listOf(stages).flatMap((entry, index) => {
    if (!isMap(entry)) return []
    return [{ name: typeof entry.name === 'string' ? entry.name : '', entry, index }]
  })
}

/** By their names in lower case, in order: those of the section, then those of the jobs. */
function stagesOf(section: readonly FileStage[], names: readonly string[]): Map<string, FileStage> {
  const stages = new Map<string, FileStage>()
  for (const stage of [...section, ...names.map((name) => ({ name, entry: { name } }))]) {
    const name = folded(stage.name)
    if (!stages.has(name)) stages.set(name, stage)
  }
  return stages
}

/** The entries whose condition does not hold, by their names in lower case. */
function skippedOf(section: readonly StageEntry[], judge: Judge, skips: Skips) {
  const held = section.filter(({ entry, index }) => {
    const holds = judge.holds(entry.if)
    if (!holds) skips.report('stage', entry.if, index + 1)
    return holds
  })
  // Of two entries for one stage, one that holds is enough.
  const open = new Set(held.map(({ name }) => folded(name)))
  const skipped = section.filter(({ name }) => !open.has(folded(name)))
  return new Map(skipped.map((entry) => [folded(entry.name), entry]))
}

function namesIn(root: Root, drafts: readonly Draft[]): string[] {
  return drafts.map((draft) => nameIn(root, draft)).filter((name) => name !== '')
}

/** Empty for a job without a stage. */
function nameIn(root: Root, draft: Draft): string {
  const name = valueOf(root, draft, 'stage')
  return typeof name === 'string' ? name : ''
}

/** Names that differ in nothing but their case are the same. */
function folded(name: string): string {
  return name.toLowerCase()
}
