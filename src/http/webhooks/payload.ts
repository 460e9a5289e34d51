import qs from 'qs'
import { countsOnce } from '../../domain/delivery.ts'
import { parseStorable } from '../../domain/text/storable-text.ts'
import type { Sealer } from '../../secrets/seal.ts'
import { keepBody } from '../../secrets/webhook-body.ts'
import type { NewDelivery } from '../../store/deliveries/deliveries.ts'

/** The data of a body that the intake needs. */
export interface Payload {
  json: Buffer
  action: string | null
  repository: { id: number | null; private: boolean }
  installation: number | null
  /** The commit that the event is about. */
  sha: string | null
}

/** Parses a body; undefined unless it is a JSON object. Repository hooks send it as a form field (WH-01). */
export function readPayload(body: Buffer, type = ''): Payload | undefined {
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const json = isForm ? Buffer.from(formField(body)) : body
  try {
    const parsed = parseStorable(json.toString('utf8'))
    if (!isObject(parsed)) return
    const { action, repository, installation } = parsed
    return {
      json,
      action: typeof action === 'string' ? action : null,
      repository: {
        id: idOf(repository),
        // When in doubt the body is sealed.
        private: !isObject(repository) || repository.private !== false,
      },
      installation: idOf(installation),
      sha: commitIn(parsed),
    }
  } catch {
    return undefined
  }
}

/** The head of a pull request, merge group or check; for a push the new commit, or the deleted one. */
function commitIn({ after, before, pull_request, ...others }: Record<string, unknown>) {
  if (isObject(pull_request))
    return isObject(pull_request.head) ? shaIn(pull_request.head.sha) : null
  for (const each of [others.merge_group, others.check_run, others.check_suite]) {
    if (isObject(each)) return shaIn(each.head_sha)
  }
  return shaIn(after) ?? shaIn(before)
}

/** A commit hash; otherwise null, also for the zeros that mean a deleted ref. */
function shaIn(value: unknown): string | null {
  return typeof value === 'string' && /^(?!0+$)[0-9a-f]{40,64}$/.test(value) ? value : null
}

function idOf(record: unknown): number | null {
  return isObject(record) && Number.isSafeInteger(record.id) ? Number(record.id) : null
}

function formField(body: Buffer): string {
  const { payload } = qs.parse(body.toString('utf8'), { parameterLimit: 10, depth: 0 })
  return typeof payload === 'string' ? payload : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A webhook in the form to store. The body of a private repository's webhook is sealed first (D32). */
export async function deliveryOf(
  delivery: Pick<NewDelivery, 'provider' | 'event' | 'guid'>,
  { json, action, repository, installation, sha }: Payload,
  { sealer, hash }: { sealer: Sealer; hash: (json: Buffer) => Promise<string> },
): Promise<NewDelivery> {
  const { guid, provider, event } = delivery
  return {
    ...delivery,
    action,
    repository_codehost_id: repository.id,
    installation_codehost_id: installation,
    sha,
    body_hash: countsOnce(provider, event) ? await hash(json) : null,
    ...(await keepBody(sealer, { guid, sealed: repository.private }, json)),
  }
}
