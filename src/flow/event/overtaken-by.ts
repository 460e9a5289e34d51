import { type PushEvent, readRef } from '../../domain/event.ts'
import { nowhere } from '../../domain/request/overtaken.ts'
import type { KnownPush } from '../../store/pushes.ts'
import type { AskedTip } from './ask-codehost.ts'
import { tipInDoubt } from './receive-ref.ts'

/**
 * Where the branch was already when a push came late; null for one that leads to where it is, as far as is known. The
 * code host is asked about pushes that do not go on from the newest one, and about those to what is gone.
 */
export function overtakenBy(
  { ref, before, after }: Pick<PushEvent, 'ref' | 'before' | 'after'>,
  { newest_sha, is_followed, is_gone }: KnownPush,
  asked: AskedTip | undefined,
): string | null | typeof tipInDoubt {
  // An annotated tag has an id of its own.
  const isTag = readRef(ref).kind === 'tag'
  const goesOn = newest_sha === null || newest_sha === before || newest_sha === after
  if (!is_gone && (isTag || goesOn)) return null
  if (!asked) return tipInDoubt
  if (asked.sha === null) return nowhere
  if (isTag || asked.sha === after) return null
  // Between two pushes that are known there may be one that is not, and that is still to come.
  if (is_followed || asked.sha === newest_sha) return asked.sha ?? newest_sha
  return null
}
