import { repositoryRights } from '../../access/repository-rights.ts'
import { permittedUser } from '../../access/viewer.ts'
import { ServiceError } from '../../domain/errors.ts'
import { findRenamed } from '../../store/repositories/former-slugs.ts'
import { findSeenRepository } from '../../store/repositories/repository-access.ts'
import { redirect } from '../core/answer.ts'
import type { Call, Endpoint } from '../core/endpoint.ts'
import { isUnder } from './one-repository.ts'
import { repositoryPath } from './paths.ts'

/**
 * A page that redirects to the repository's new name if the repository in the path is not found. Viewers
 * who cannot see the repository do not learn the new name.
 */
export function followingRenames(page: Endpoint): Endpoint {
  return {
    ...page,
    run: (call, ready) =>
      page.run(call, ready).catch(async (error: unknown) => {
        const target =
          error instanceof ServiceError && error.kind === 'not_found'
            ? await newPath(call)
            : undefined
        if (target === undefined) throw error
        return redirect(target, page.method === 'GET' ? 302 : 307)
      }),
  }
}

async function newPath(call: Call): Promise<string | undefined> {
  const { ctx, viewer, params, request } = call
  const { owner, name } = params
  if (owner === undefined || name === undefined) return undefined
  const renamed = await findRenamed(ctx.db, `${owner}/${name}`)
  const seen = renamed && (await findSeenRepository(ctx.db, renamed, permittedUser(viewer)))
  if (!seen || !repositoryRights(viewer, seen).read) return undefined
  // The repository may have its former name again.
  if (isUnder(call, { repository: seen })) return undefined
  const [, rest = ''] = /^\/[^/?]+\/[^/?]+(.*)$/.exec(request.url) ?? []
  return `${repositoryPath(ctx.site.prefix, seen)}${rest}`
}
