import { createHash } from 'node:crypto'
import type { FoundCommit, PushedRepository, Pusher } from '../../codehost/codehost.ts'
import { foundGuid } from '../../domain/delivery.ts'
import { keepBody } from '../../secrets/webhook-body.ts'
import type { NewDelivery } from '../../store/deliveries/deliveries.ts'
import type { CatchUpContext } from './context.ts'

/** A branch or tag whose tip differs from the known one; `before` is null for a new ref. */
export interface Push {
  ref: string
  before: string | null
  after: string
}

interface FoundPush extends Push {
  commit: FoundCommit
  /** Undefined if the code host does not reveal the pusher. */
  pusher: Pusher | undefined
}

interface Where extends PushedRepository {
  installation: number
}

/**
 * The webhook that the code host would have sent for a push, as far as is known. Its id is the same no
 * matter which process finds the push, but differs for an equal push at another time.
 */
export async function webhookOf(
  { sealer }: Pick<CatchUpContext, 'sealer'>,
  { installation, facts, pushed_at }: Where,
  push: FoundPush,
): Promise<NewDelivery> {
  const { codehost_id, private: sealed } = facts
  const found = [codehost_id, push.ref, push.before, push.after, pushed_at?.toISOString()]
  const hash = createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 24)
  const guid = `${foundGuid}${hash}`
  const body = Buffer.from(JSON.stringify(payloadOf(installation, facts, push)))
  return {
    guid,
    provider: 'codehost',
    event: 'push',
    action: null,
    repository_codehost_id: codehost_id,
    installation_codehost_id: installation,
    sha: push.after,
    ...(await keepBody(sealer, { guid, sealed }, body)),
  }
}

function payloadOf(
  installation: number,
  { codehost_id, owner, ...facts }: Where['facts'],
  { ref, before, after, commit, pusher }: FoundPush,
) {
  return {
    ref,
    before: before ?? '0'.repeat(after.length),
    after,
    created: before === null,
    deleted: false,
    forced: false,
    base_ref: null,
    compare: '',
    commits: [],
    head_commit: {
      id: commit.sha,
      message: commit.message,
      timestamp: commit.committed_at?.toISOString() ?? '',
      author: { name: commit.author_name ?? '', email: commit.author_email },
      committer: { name: commit.committer_name ?? '', email: commit.committer_email },
    },
    repository: {
      ...facts,
      id: codehost_id,
      full_name: `${owner.login}/${facts.name}`,
      owner: { id: owner.codehost_id, login: owner.login, type: owner.type },
    },
    installation: { id: installation },
    ...(pusher
      ? { sender: { id: pusher.codehost_id, login: pusher.login, type: pusher.type } }
      : {}),
  }
}
