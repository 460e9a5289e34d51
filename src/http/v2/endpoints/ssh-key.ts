import type { SshKey } from '../../../domain/ssh-key.ts'
import { removeSshKey, setSshKey } from '../../../flow/secrets/ssh-keys.ts'
import { findSshKey } from '../../../store/secrets/ssh-keys.ts'
import { type Call, del, get, patch } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { anyText, memberRecord } from '../../parameters/fields.ts'
import { described } from '../../parameters/parameter.ts'
import { privateKey } from '../../parameters/private-key.ts'
import { answers } from '../openapi/answers.ts'
import {
  existing,
  ifSeen,
  oneStored,
  repositoryById,
  repositoryMissing,
  type Stored,
} from '../repository-settings.ts'

const path = '/settings/ssh_key/:repository'

const oneSshKey = {
  ...oneStored,
  async find(call: Call): Promise<Stored<SshKey> | undefined> {
    const repository = await repositoryById(call, idIn(call.params.repository))
    if (!repository) return
    const read = () => findSshKey(call.ctx.db, repository.id)
    return { repository, stored: await ifSeen(call, repository, read) }
  },
  missing: repositoryMissing,
}

/** The private key itself is never shown. */
const shown = ({ repository_id, description, fingerprint }: SshKey) => ({
  ssh_key: { id: repository_id, description, fingerprint },
})

export const sshKeyEndpoints = [
  get(path, {
    ...oneSshKey,
    right: 'existing',
    docs: {
      summary: 'description and fingerprint of the custom SSH key; needs the right to push',
      schema: answers.sshKey,
    },
    present: ({ stored }) => shown(existing(stored)),
  }),

  patch(path, {
    ...oneSshKey,
    right: 'write',
    docs: {
      summary: 'sets the private SSH key of a repository; needs the right to push',
      schema: answers.sshKey,
      example: { ssh_key: { description: 'deploy', value: '-----BEGIN RSA PRIVATE KEY-----\n…' } },
    },
    scope: 'settings',
    body: 'json',
    accepts: {
      ssh_key: memberRecord(),
      'ssh_key.description': anyText(),
      'ssh_key.value': described('a private key in PEM, without a passphrase', privateKey()),
    },
    act: (call, { repository }, values) =>
      setSshKey(call.ctx, actorOf(call), {
        repository_id: repository.id,
        key: values['ssh_key.value'],
        description: values['ssh_key.description'],
      }),
    present: (key) => shown(key),
  }),

  del(path, {
    ...oneSshKey,
    right: 'existing',
    docs: {
      summary: 'removes the custom SSH key, and returns its public part; needs the right to push',
      schema: answers.sshKey,
    },
    scope: 'settings',
    act: async (call, { stored }) =>
      existing(await removeSshKey(call.ctx, actorOf(call), existing(stored))),
    present: (key) => shown(key),
  }),
]
