import { CodehostError, type Past } from '../../codehost/codehost.ts'
import { slugOf } from '../../domain/repository.ts'
import type { CatchUpContext } from './context.ts'
import { type DueRepository, dueRepositories } from './due-repositories.ts'
import { lookAtBranches } from './look-at-branches.ts'
import { lookAtTags } from './look-at-tags.ts'
import type { FoundPush } from './store-pushes.ts'

/** A first look at a repository's branches or tags, which only records them. */
export interface FirstLook {
  repository: string
  of: 'branches' | 'tags'
}

/** The result of a look at a repository. */
export interface Look {
  pushes: FoundPush[]
  /** New tags beyond the number that one look builds. */
  unbuilt: FoundPush[]
  first_looks: FirstLook[]
  /** Why the look failed. */
  problem?: string
}

/**
 * Compares the branches and tags of an installation's repositories that were pushed to since the last look.
 * `awaited` are repositories whose webhooks are on their way. A failure to read tags does not stop the
 * comparison of branches.
 */
export async function* lookAtInstallation(
  ctx: CatchUpContext,
  past: Past,
  installation: number,
  awaited: ReadonlySet<number | null>,
): AsyncGenerator<Look> {
  let readsTags = true
  for await (const due of dueRepositories(ctx, past, installation, awaited)) {
    if (due.branches) yield await branchesIfShown(ctx, past, due)
    if (!due.tags || !readsTags) continue
    try {
      yield tagsLook(due, await lookAtTags(ctx, past, due))
    } catch (error) {
      if (!(error instanceof CodehostError)) throw error
      const repository = slugOf(due.repository)
      ctx.log.warn({ err: error, repository }, 'tags could not be compared')
      // The next repository would fail in the same way.
      readsTags = !error.temporary
      yield { ...nothing, problem: `could not read the tags of ${repository}: ${error.message}` }
    }
  }
}

const nothing: Look = { pushes: [], unbuilt: [], first_looks: [] }

/** Compares branches. A repository that the code host does not show, as when empty, stops no others. */
async function branchesIfShown(ctx: CatchUpContext, past: Past, due: DueRepository): Promise<Look> {
  const repository = slugOf(due.repository)
  const isFirst = due.repository.heads === null
  try {
    const pushes = await lookAtBranches(ctx, past, due)
    return { ...nothing, pushes, first_looks: isFirst ? [{ repository, of: 'branches' }] : [] }
  } catch (error) {
    if (!(error instanceof CodehostError) || error.temporary) throw error
    ctx.log.warn({ err: error, repository }, 'branches could not be compared')
    return nothing
  }
}

function tagsLook(
  { repository }: DueRepository,
  { isFirst, ...found }: Awaited<ReturnType<typeof lookAtTags>>,
): Look {
  return { ...found, first_looks: isFirst ? [{ repository: slugOf(repository), of: 'tags' }] : [] }
}
