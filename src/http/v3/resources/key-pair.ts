import { repositoryRights } from '../../../access/repository-rights.ts'
import { notFound } from '../../../domain/errors.ts'
import { type Repository, type Seen, slugOf } from '../../../domain/repository.ts'
import type { SshKey } from '../../../domain/ssh-key.ts'
import { renewKeyPair } from '../../../flow/secrets/key-pairs.ts'
import {
  listEncrypted,
  listOwnEncrypted,
  type TriedValue,
} from '../../../flow/secrets/list-encrypted.ts'
import {
  removeSshKey,
  changeSshKey,
  refusalOfFirstSshKey,
  setSshKey,
} from '../../../flow/secrets/ssh-keys.ts'
import {
  type Keeping,
  repositoryWithPublicKey,
  repositoryWithSshKey,
} from '../../../store/repositories/repository-settings-view.ts'
import type { PublicKey } from '../../../store/secrets/key-pairs.ts'
import type { Call } from '../../core/endpoint.ts'
import type { InRepository } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { keyRenewals } from '../../identity/rate-limits.ts'
import { anyObject, listOf, orNull, textOrNull } from '../../openapi/schema.ts'
import { anyText } from '../../parameters/fields.ts'
import { described, ofType, required } from '../../parameters/parameter.ts'
import { privateKeyOrNone } from '../../parameters/private-key.ts'
import { actionsOf, del, get, patch, post } from '../core/action.ts'
import { as, asCreated, asNothing } from '../core/presented.ts'
import { resourceOf } from '../core/resource.ts'
import { warn, warning } from '../core/warnings.ts'
import { oneRepository, repositoryTemplates, repositoryWith } from '../records/one-repository.ts'

/** The key that jobs of a repository use: a custom one, or the pair that was generated for it. */
type KeyPairModel = InRepository<{
  description: string | null
  public_key: string | null
  fingerprint: string | null
  generated: boolean
}>

declare module '../core/resource.ts' {
  interface Models {
    key_pair: KeyPairModel
  }
}

/** Most lost values that a warning names. */
const mostNamed = 5

const attributes = ['description', 'public_key', 'fingerprint'] as const

/** A key of a repository. Its private value is never shown. */
export const keyPair = resourceOf<KeyPairModel>()({
  type: 'key_pair',
  href: ({ repository, generated }) =>
    `/repo/${repository.id}/key_pair${generated ? '/generated' : ''}`,
  rights(viewer, { repository }) {
    const { write } = repositoryRights(viewer, repository)
    return { read: write, write }
  },
  permissions: ['read', 'write'],
  representations: { minimal: attributes, standard: attributes },
  includable: ['encrypted'],
  values: {
    // Does not show which values the key decrypts: no response reveals this for a value of the caller's
    // choice.
    encrypted: ({ ctx }, pairs) =>
      Promise.all(
        pairs.map(async (pair) => (pair.generated ? listOwnEncrypted(ctx, pair.repository) : null)),
      ),
  },
  // For some keys no public key can be derived.
  types: { public_key: textOrNull, fingerprint: textOrNull, encrypted: orNull(listOf(anyObject)) },
})

/** Warns about values that a new pair has made unreadable, which have to be encrypted again. */
function warnOfLost(call: Call, tried: readonly TriedValue[]): void {
  const lost = tried.filter(({ readable }) => readable)
  const untried = tried.filter(({ readable }) => readable === null).length
  if (lost.length + untried === 0) return
  const named = lost.slice(0, mostNamed).map(({ branch, path }) => `${path} on ${branch}`)
  const more = lost.length > mostNamed ? ` and ${lost.length - mostNamed} more` : ''
  const others = untried > 0 ? `, and maybe ${untried} that were too many to try` : ''
  const message =
    `encrypted values that the former key decrypted are lost: ${named.join(', ')}${more}${others}. ` +
    'Encrypt them again with the new public key'
  warn(call, warning('unreadable_values', 'key_pair', message))
}

function custom(
  { description, public_key, fingerprint }: SshKey,
  repository: Seen<Repository>,
): KeyPairModel {
  return { description, public_key, fingerprint, generated: false, repository }
}

function generated(
  { public_key, fingerprint }: PublicKey,
  repository: Seen<Repository>,
): KeyPairModel {
  return { description: null, public_key, fingerprint, generated: true, repository }
}

/** The custom key of a repository, as it is stored. */
const oneKeyPair = {
  type: 'key_pair',
  login: true,
  within: repositoryWith(repositoryWithSshKey),
  async find(_call: Call, { kept, ...repository }: Keeping<SshKey>) {
    return kept ? { ...custom(kept, repository), stored: kept } : undefined
  },
  rights: keyPair.rights,
}

const value = described('a private key in PEM, without a passphrase', privateKeyOrNone())

const accepts = ofType('key_pair', {
  description: described('description of the key', anyText()),
  value,
})

const acceptsWhole = { ...accepts, ...ofType('key_pair', { value: required(value) }) }

const template = repositoryTemplates('/key_pair')

export const keyPairActions = actionsOf(keyPair, {
  find: get(template, {
    ...oneKeyPair,
    right: 'read',
    docs: {
      summary:
        'the custom SSH key of a repository, without its private key; needs the right to push',
    },
    present: as('standard', keyPair),
  }),

  create: post(template, {
    ...oneRepository,
    login: true,
    scope: 'settings',
    right: 'create_key_pair',
    docs: {
      summary:
        'sets the custom SSH key of a repository that has none; the private key is never shown; needs the right to push',
      fails: ['duplicate_resource'],
    },
    conflict: ({ ctx }, { id }) => refusalOfFirstSshKey(ctx, id),
    accepts: acceptsWhole,
    async act(call, repository, values) {
      const given = {
        repository_id: repository.id,
        key: values['key_pair.value'],
        description: values['key_pair.description'],
      }
      const stored = await setSshKey(call.ctx, actorOf(call), given, { replaces: false })
      return custom(stored, repository)
    },
    present: asCreated('standard', keyPair),
  }),

  update: patch(template, {
    ...oneKeyPair,
    scope: 'settings',
    right: 'write',
    docs: {
      summary: 'updates the given fields of a repository’s custom SSH key; needs the right to push',
    },
    accepts,
    async act(call, { stored, repository }, values): Promise<KeyPairModel> {
      const changed = await changeSshKey(call.ctx, actorOf(call), stored, {
        key: values['key_pair.value'],
        description: values['key_pair.description'],
      })
      if (!changed) throw notFound('key_pair')
      return custom(changed, repository)
    },
    present: as('standard', keyPair),
  }),

  delete: del(template, {
    ...oneKeyPair,
    scope: 'settings',
    right: 'write',
    docs: { summary: 'removes the custom SSH key of a repository; needs the right to push' },
    async act(call, { stored }) {
      if (!(await removeSshKey(call.ctx, actorOf(call), stored))) throw notFound('key_pair')
    },
    present: asNothing,
  }),
})

const generatedTemplate = repositoryTemplates('/key_pair/generated')

export const generatedKeyPairActions = actionsOf(
  { type: 'key_pair_generated' },
  {
    find: get(generatedTemplate, {
      type: 'key_pair',
      login: true,
      within: repositoryWith(repositoryWithPublicKey),
      async find(_call, { kept, ...repository }): Promise<KeyPairModel | undefined> {
        return kept ? generated(kept, repository) : undefined
      },
      rights: keyPair.rights,
      right: 'read',
      docs: {
        summary:
          'the public key with which values of a build file are encrypted; `description` stays null; needs the right to push',
      },
      present: as('standard', keyPair),
    }),

    create: post(generatedTemplate, {
      ...oneRepository,
      login: true,
      scope: 'settings',
      rate: keyRenewals,
      right: 'admin',
      docs: {
        summary:
          'creates a new key pair; values encrypted with the old one become unreadable; 20 calls in 5 minutes; needs the right to administer',
      },
      async act(call, repository) {
        const encrypted = await listEncrypted(call.ctx, repository)
        const renewed = await renewKeyPair(call.ctx, actorOf(call), repository)
        const own = encrypted.filter((each) => each.repository === slugOf(repository))
        warnOfLost(call, own)
        return generated(renewed, repository)
      },
      present: asCreated('standard', keyPair),
    }),
  },
)
