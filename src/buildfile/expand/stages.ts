import { isMap } from '../../domain/config/config-value.ts'
import { type Draft, type Root, valueOf } from './drafts/draft.ts'
import type { Dropped } from './rules/dropped.ts'
import type { Judge } from './rules/judge.ts'
import type { Skips } from './rules/skips.ts'
import { type Config, listOf } from './values.ts'

export interface FileStage {
  /** As spelled at its first mention. */
  name: string
  /** The stage's entry in the section `stages`, or an equivalent entry. */
  entry: Config
}

/** The name is empty for an entry without a name. */
interface StageEntry extends FileStage {
  /** Its index in the section, from 0. */
  index: number
}

export interface Staged {
  draft: Draft
  /** The index of the job's stage; 0 in a build without stages. */
  stage: number
}

export interface Staging {
  /** The stages that have jobs, in order. */
  stages: FileStage[]
  staged: Staged[]
  dropped: Dropped[]
}

/** Sets the stage of each job, if the build has stages (rules 18.1 to 18.3). */
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

/** Stages by name in lower case, in order: first the section's stages, then the jobs'. */
function stagesOf(section: readonly FileStage[], names: readonly string[]): Map<string, FileStage> {
  const stages = new Map<string, FileStage>()
  for (const stage of [...section, ...names.map((name) => ({ name, entry: { name } }))]) {
    const name = folded(stage.name)
    if (!stages.has(name)) stages.set(name, stage)
  }
  return stages
}

/** The entries whose condition does not hold, by name in lower case. */
function skippedOf(section: readonly StageEntry[], judge: Judge, skips: Skips) {
  const held = section.filter(({ entry, index }) => {
    const holds = judge.holds(entry.if)
    if (!holds) skips.report('stage', entry.if, index + 1)
    return holds
  })
  // If a stage has several entries, one whose condition holds is enough.
  const open = new Set(held.map(({ name }) => folded(name)))
  const skipped = section.filter(({ name }) => !open.has(folded(name)))
  return new Map(skipped.map((entry) => [folded(entry.name), entry]))
}

function namesIn(root: Root, drafts: readonly Draft[]): string[] {
  return drafts.map((draft) => nameIn(root, draft)).filter((name) => name !== '')
}

/** The name of the job's stage; empty for a job without a stage. */
function nameIn(root: Root, draft: Draft): string {
  const name = valueOf(root, draft, 'stage')
  return typeof name === 'string' ? name : ''
}

/** Names that differ only in case are the same. */
function folded(name: string): string {
  return name.toLowerCase()
}
