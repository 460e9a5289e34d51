import type { NewestTags, Past } from '../../codehost/codehost.ts'
import { refOf } from '../../domain/event.ts'
import { slugOf } from '../../domain/repository.ts'
import { newestPushes } from '../../store/commits/pushes.ts'
import {
  deletedTags,
  findSeenTags,
  markOtherTagsGone,
  putSeenTags,
  type SeenTags,
} from '../../store/repositories/seen-tags.ts'
import { timeOf } from '../../store/sql/age.ts'
import { announceLost } from '../statuses/announce-commit.ts'
import { transact } from '../transact.ts'
import type { CatchUpContext } from './context.ts'
import type { DueRepository } from './due-repositories.ts'
import { type FoundPush, storePushes } from './store-pushes.ts'
import type { Push } from './webhook-of.ts'

/** A push can bring hundreds of tags. GitHub itself sends no webhook for more than three. */
const mostBuilt = 20

interface TagsLook {
  pushes: FoundPush[]
  /** New tags beyond the number that one look builds. */
  unbuilt: FoundPush[]
  isFirst: boolean
}

/**
 * Compares the newest tags of a repository with the tags of the last look, and stores a webhook for each new
 * or moved tag. The first look only records the tags. A look that fails records nothing: the next look
 * recognizes the webhooks that were stored by then.
 */
export async function lookAtTags(
  ctx: CatchUpContext,
  past: Past,
  due: DueRepository,
): Promise<TagsLook> {
  const { id } = due.repository
  const at = await timeOf(ctx.db)
  const found = await past.tags(due.ref)
  const seen = await findSeenTags(ctx.db, id)
  const fresh = seen ? await newTags(ctx, id, seen, found) : []
  // Oldest first, in the order of their creation.
  const built = fresh.slice(0, mostBuilt).toReversed()
  const pushes = await storePushes(ctx, past, due, built)
  const repository = slugOf(due.repository)
  const unbuilt = fresh.slice(mostBuilt).map(({ ref, after }) => ({ repository, ref, sha: after }))
  if (unbuilt.length > 0) {
    const tags = unbuilt.map(({ ref }) => ref)
    ctx.log.warn({ repository, tags, most: mostBuilt }, 'new tags were not built: too many at once')
  }
  const names = found.tags.map(({ name }) => name)
  await transact(ctx, async (tx) => {
    const gone = found.more ? [] : await markOtherTagsGone(tx.db, id, names, at)
    for (const name of gone) await announceLost(tx, { id }, refOf('tag', name))
  })
  await putSeenTags(ctx.db, id, { pushed_at: due.settled_at, ...recordOf(found, at) })
  return { pushes, unbuilt, isFirst: !seen }
}

/**
 * The tags pushed since the last look, newest first: created, moved, or deleted and created again. A tag
 * beyond the newest hundred of the last look becomes visible when newer tags are deleted, but is not a new
 * tag. GitHub documents an order by commits, but orders annotated tags by their own time, so both the
 * order and the time count.
 */
async function newTags(
  { db }: CatchUpContext,
  id: number,
  seen: SeenTags,
  { tags }: NewestTags,
): Promise<(Push & { commit: string })[]> {
  const names = tags.map(({ name }) => name)
  const deleted = await deletedTags(db, id, names)
  const newest = await newestPushes(
    db,
    id,
    names.map((name) => refOf('tag', name)),
  )
  const known = new Map(Object.entries(seen.tags))
  const lastKnown = tags.findLastIndex(({ name, sha }) => known.get(name) === sha)
  return tags.flatMap(({ name, sha: after, commit, created_at }, index) => {
    if (commit === null) return []
    const ref = refOf('tag', name)
    if (deleted.has(name)) return [{ ref, before: null, after, commit }]
    const before = newest.get(ref) ?? known.get(name) ?? null
    if (before === after || known.get(name) === after) return []
    const isAhead = lastKnown === -1 || index < lastKnown
    const isNewer =
      seen.since === null || (isAhead && created_at !== null && created_at > seen.since)
    return known.has(name) || isNewer ? [{ ref, before, after, commit }] : []
  })
}

/** The record of a look, with which the next look is compared. */
function recordOf({ tags, more }: NewestTags, at: Date): Pick<SeenTags, 'tags' | 'since'> {
  const times = tags.flatMap(({ created_at }) => created_at?.getTime() ?? [])
  return {
    tags: Object.fromEntries(tags.map(({ name, sha }) => [name, sha])),
    since: more ? new Date(Math.min(at.getTime(), ...times)) : null,
  }
}
