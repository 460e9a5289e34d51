import { scopesOf, seesPrivate } from '../../../access/scopes.ts'
import { tokenRights } from '../../../access/token-rights.ts'
import { listViewer, permittedUser } from '../../../access/viewer.ts'
import type { Repository, Seen } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'
import { revokeOneToken } from '../../../flow/tokens/revoke-token.ts'
import { listedRepositoriesByIds } from '../../../store/repositories/listed-repositories.ts'
import { findSeenRepository } from '../../../store/repositories/repository-access.ts'
import { findListedToken, type ListedToken } from '../../../store/tokens/listed-tokens.ts'
import type { Call } from '../../core/endpoint.ts'
import { idIn } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { textOrNull } from '../../openapi/schema.ts'
import { actionsOf, del, get } from '../core/action.ts'
import { as, asNothing } from '../core/presented.ts'
import { each, resourceOf } from '../core/resource.ts'
import { usersOf } from '../render/reads.ts'

export interface SeenToken extends ListedToken {
  /** The repository it belongs to; null if it belongs to its user. */
  repository: Seen<Repository> | null
  /** The token itself, known only when it is created. */
  token?: string
}

declare module '../core/resource.ts' {
  interface Models {
    token: SeenToken
  }
}

export const token = resourceOf<SeenToken>()({
  type: 'token',
  href: ({ id }) => `/token/${id}`,
  rights: tokenRights,
  permissions: ['read', 'write'],
  representations: {
    minimal: ['id', 'name'],
    standard: [
      'id',
      'name',
      'scopes',
      'sees_private',
      'repositories',
      'repository',
      'created_by',
      'created_at',
      'last_used_at',
      'expires_at',
      'token',
    ],
  },
  values: {
    scopes: each(scopesOf),
    sees_private: each(seesPrivate),
    created_at: each(({ created_at }) => time(created_at)),
    last_used_at: each(({ last_used_at }) => time(last_used_at)),
    expires_at: each(({ expires_at }) => time(expires_at)),
    token: each(({ token }) => token ?? null),
  },
  links: {
    repositories: {
      to: 'repository',
      async read({ ctx, viewer }, tokens) {
        const ids = tokens.flatMap(({ repository_ids }) => repository_ids ?? [])
        const found = await listedRepositoriesByIds(ctx.db, ids, listViewer(viewer))
        return tokens.map(
          ({ repository_ids }) =>
            repository_ids && found.filter(({ id }) => repository_ids.includes(id)),
        )
      },
    },
    repository: { to: 'repository', read: each(({ repository }) => repository) },
    created_by: {
      to: 'user',
      read: (view, tokens) =>
        usersOf(
          view,
          tokens.map(({ made_by_id, user_id, repository_id }) =>
            repository_id === null ? user_id : made_by_id,
          ),
        ),
    },
  },
  types: { token: textOrNull },
})

const oneToken = {
  type: 'token',
  login: true,
  async find({ ctx, viewer, params }: Call): Promise<SeenToken | undefined> {
    const id = idIn(params.token)
    const found = id === undefined ? undefined : await findListedToken(ctx.db, { id }, ctx.now())
    if (!found || found.repository_id === null) return found && { ...found, repository: null }
    const ref = { id: found.repository_id }
    const repository = await findSeenRepository(ctx.db, ref, permittedUser(viewer))
    return repository && { ...found, repository }
  },
  rights: tokenRights,
}

export const tokenActions = actionsOf(token, {
  find: get('/token/{token.id}', {
    ...oneToken,
    right: 'read',
    docs: {
      summary:
        'a token of the caller, or of a repository that the caller administers; `token` stays null',
    },
    present: as('standard', token),
  }),

  revoke: del('/token/{token.id}', {
    ...oneToken,
    right: 'write',
    docs: {
      summary:
        'revokes a token of the caller and all tokens made with it, or a token of a repository that the caller administers',
    },
    act: (call, found) => revokeOneToken(call.ctx, found, actorOf(call)),
    present: asNothing,
  }),
})
