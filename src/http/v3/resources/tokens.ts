import { isWhole, tokenScopes } from '../../../access/scopes.ts'
import { permittedUser } from '../../../access/viewer.ts'
import {
  insufficientAccess,
  loginRequired,
  validationFailed,
  wrongParams,
} from '../../../domain/errors.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { makeRepositoryToken, makeToken } from '../../../flow/tokens/make-token.ts'
import { visibleRepositoryIds } from '../../../store/sql/visible-ids.ts'
import {
  findListedToken,
  tokensOfRepository,
  tokensOfUser,
} from '../../../store/tokens/listed-tokens.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { requiredText, settingFlag } from '../../parameters/fields.ts'
import { time } from '../../parameters/kinds.ts'
import {
  described,
  isRecord,
  ofType,
  type Parameters,
  type Values,
} from '../../parameters/parameter.ts'
import { exactIds, scopeList, scopesInRepository } from '../../parameters/token-fields.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { collectionOf } from '../core/collection.ts'
import { openPageSteps, pageSteps } from '../core/page-steps.ts'
import { asCreated } from '../core/presented.ts'
import type { Models } from '../core/resource.ts'
import { ignoredNames } from '../core/warnings.ts'
import { oneRepository, repositoryTemplates } from '../records/one-repository.ts'
import { token } from './token.ts'

export const tokens = collectionOf<Models['token']>()({ type: 'tokens', of: token, limit: 25 })

/** Throws unless the call's token is unrestricted: no other token can manage tokens. */
function check({ viewer }: Call): void {
  if (!isWhole(viewer)) throw insufficientAccess('token', 'write')
}

const managing = { login: true, check } as const

const common = {
  name: described('description of the token', requiredText()),
  expires_at: described(
    'when it ends, like 2026-01-02T12:00:00Z; without it, 90 days after its last use',
    time(),
  ),
}
const mostRepositories = 100

const ofUser = ofType('token', {
  ...common,
  scopes: described(
    `its scopes: any of ${tokenScopes.join(', ')}; read by default`,
    scopeList(tokenScopes),
  ),
  sees_private: described('whether it can access private records; true by default', settingFlag()),
  repositories: described(
    `ids of the only repositories that the token can access, at most ${mostRepositories}; without it, for all`,
    exactIds(mostRepositories),
  ),
})
const ofRepository = ofType('token', {
  ...common,
  scopes: described(
    `its scopes: any of ${scopesInRepository.join(', ')}; read by default`,
    scopeList(scopesInRepository),
  ),
})

const created = asCreated('standard', token)

export const tokensActions = actionsOf(tokens, {
  for_current_user: get(
    '/tokens',
    openPageSteps(
      tokens,
      {
        ...managing,
        docs: {
          summary:
            'the tokens of the caller, with their last use; needs a token without limits; `token` stays null',
        },
      },
      async ({ ctx, viewer }, query) => {
        if (!viewer.user) throw loginRequired()
        const { records, count } = await tokensOfUser(ctx.db, viewer.user.id, ctx.now(), query)
        return { records: records.map((each) => ({ ...each, repository: null })), count }
      },
    ),
  ),

  create: post('/tokens', {
    ...managing,
    accepts: ofUser,
    shows: created.shows,
    status: 201,
    docs: {
      summary:
        'creates a token of the caller, which is shown only once; needs a token without limits',
    },
    async answer(call, given) {
      expectKnown(call, ofUser)
      const repository_ids = await visible(call, given['token.repositories'])
      const made = await makeToken(
        call.ctx,
        {
          name: given['token.name'],
          scopes: given['token.scopes'],
          seesPrivate: given['token.sees_private'] ?? true,
          repository_ids,
          ends_at: future(call, given['token.expires_at']),
        },
        actorOf(call),
      )
      return created({ ...(await listed(call, made)), repository: null }, call)
    },
  }),

  for_repository: get(
    repositoryTemplates('/tokens'),
    pageSteps(
      tokens,
      {
        ...oneRepository,
        ...managing,
        right: 'admin',
        docs: {
          summary:
            'the tokens that belong to a repository and to no user; `token` stays null; needs the right to administer',
        },
      },
      async ({ ctx }, repository, query) => {
        const { records, count } = await tokensOfRepository(ctx.db, repository.id, ctx.now(), query)
        return { records: records.map((each) => ({ ...each, repository })), count }
      },
    ),
  ),

  create_for_repository: post(repositoryTemplates('/tokens'), {
    ...oneRepository,
    ...managing,
    right: 'admin',
    accepts: ofRepository,
    docs: {
      summary:
        'creates a token that belongs to a repository and to no user, and is shown only once; needs the right to administer',
    },
    act: makeFor,
    present: created,
  }),
})

/** Refuses unknown parameters, which are ignored elsewhere: they may have been meant to limit the token. */
function expectKnown({ given }: Call, accepts: Parameters): void {
  const members = isRecord(given['token']) ? Object.keys(given['token']) : []
  const nested = members.map((name) => `token.${name}`)
  const [unknown] = [
    ...ignoredNames(accepts, given),
    ...nested.filter((name) => !Object.hasOwn(accepts, name)),
  ]
  if (unknown === undefined) return
  const known = Object.keys(accepts).join(', ')
  throw wrongParams(`a token has no parameter ${unknown}: it can have ${known}`)
}

async function makeFor(
  call: Call,
  repository: Seen<Repository>,
  given: Values<typeof ofRepository>,
): Promise<Models['token']> {
  expectKnown(call, ofRepository)
  const made = await makeRepositoryToken(
    call.ctx,
    repository,
    {
      name: given['token.name'],
      scopes: given['token.scopes'],
      ends_at: future(call, given['token.expires_at']),
    },
    actorOf(call),
  )
  return { ...(await listed(call, made)), repository }
}

/** The repositories a token is limited to, all visible to the viewer; null if there is no limit. */
async function visible(
  { ctx, viewer }: Call,
  ids: readonly number[] | undefined,
): Promise<readonly number[] | null> {
  if (!ids) return null
  const looking = { userId: permittedUser(viewer), closed: viewer.closed }
  const found = await visibleRepositoryIds(ctx.db, ids, looking)
  if (ids.every((id) => found.has(id))) return ids
  throw validationFailed([{ field: 'repositories', code: 'invalid' }])
}

function future({ ctx }: Call, time: Date | undefined): Date | null {
  if (time === undefined || time > ctx.now()) return time ?? null
  const message = 'expires_at is not in the future'
  throw validationFailed([{ field: 'expires_at', code: 'invalid', message }])
}

async function listed({ ctx }: Call, { id, token }: { id: number; token: string }) {
  const found = await findListedToken(ctx.db, { id }, ctx.now())
  if (!found) throw new Error('a token that was just created is missing')
  return { ...found, token }
}
