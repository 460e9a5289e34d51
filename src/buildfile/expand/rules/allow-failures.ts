import type { Draft, Root } from '../drafts/draft.ts'
import { entriesOf } from '../drafts/entries.ts'
import { listOf } from '../values.ts'
import { idFinder } from './id-finder.ts'
import type { JobRule } from './rule.ts'

/** The entries of `jobs.allow_failures` (rule 18.5). Without an event every `branch` matches. */
export function allowancesOf(root: Root, branch: unknown): JobRule[] {
  const { idOf } = root
  const idUnder = idFinder(root)
  return entriesOf(root.config, 'allow_failures').flatMap(({ entry, index }) => {
    const { if: condition, branch: wantedBranch, env, ...keys } = entry
    if (wantedBranch !== undefined && branch !== undefined && wantedBranch !== branch) return []
    const wanted = Object.entries(keys).map(([key, value]) => [key, idOf(value)] as const)
    const hasEnv = env === undefined ? () => true : envTest(root, listOf(env))
    const fits = (draft: Draft) =>
      wanted.every(([key, id]) => idUnder(draft, key) === id) && hasEnv(draft)
    return [{ index, condition, fits }]
  })
}

/** Every job has the global entries; a job with the list's other entries matches too. */
function envTest({ env, idOf }: Root, list: readonly unknown[]): (draft: Draft) => boolean {
  const id = idOf(list)
  const others = list.filter((entry) => !env.isGlobal(entry)).map(idOf)
  return (draft) => {
    const own = draft.env?.entries ?? []
    if (idOf(own) === id) return true
    return others.length < list.length && others.every((id) => own.map(idOf).includes(id))
  }
}
