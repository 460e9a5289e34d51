import { repositoryRights } from '../../../access/repository-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { makeKeyPair, renewKeyPair } from '../../../flow/secrets/key-pairs.ts'
import { findPublicKey, type PublicKey } from '../../../store/secrets/key-pairs.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { anonymousKeys, keyRenewals } from '../../identity/rate-limits.ts'
import { oneRepository, repositoryPaths } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'
import { ifSeen } from '../repository-settings.ts'

interface WithKey {
  repository: Seen<Repository>
  /** Undefined until it is first requested. */
  key: PublicKey | undefined
}

const presentKey = ({ public_key, fingerprint }: PublicKey) => ({ key: public_key, fingerprint })

export const repositoryKeyEndpoints = [
  get(repositoryPaths('/key'), {
    type: 'repository',
    async find(call: Call): Promise<WithKey | undefined> {
      const repository = await oneRepository.find(call)
      if (!repository) return
      const read = () => findPublicKey(call.ctx.db, repository.id)
      return { repository, key: await ifSeen(call, repository, read) }
    },
    rights: (viewer: Viewer, { repository }: WithKey) => repositoryRights(viewer, repository),
    right: 'read',
    docs: { summary: 'the public key of a repository', schema: answers.key },
    // A key is never changed, only replaced.
    version: ({ key }) => key && { text: key.fingerprint },
    rate: anonymousKeys,
    act: async ({ ctx }, { repository, key }) => key ?? makeKeyPair(ctx, repository.id),
    present: (key) => presentKey(key),
  }),

  post(repositoryPaths('/key'), {
    ...oneRepository,
    login: true,
    scope: 'settings',
    rate: keyRenewals,
    right: 'admin',
    docs: {
      summary: 'a new key pair, which replaces the old one; needs the right to administer',
      schema: answers.key,
    },
    refused: { status: 404, answer: refusals.notFound },
    act: (call, repository) => renewKeyPair(call.ctx, actorOf(call), repository),
    present: (key) => presentKey(key),
  }),
]
