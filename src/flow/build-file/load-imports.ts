import type { ImportTarget } from '../../buildfile/imports/reference.ts'
import type { Load, Loaded, Refusal } from '../../buildfile/imports/source.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { rolesOn } from '../../store/people/permissions.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { settingsOf } from '../../store/repositories/settings.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { fileText } from './file-text.ts'

/** The build that imports are read for. */
export interface ImportingBuild {
  repository: FoundRepository
  /** The commit that will be built. */
  sha: string
  /** Whether it is of a pull request from another repository, whose author may lack access to this one. */
  from_fork: boolean
  /** The user who caused the build; null if unknown. */
  sender_id: number | null
}

/**
 * Loads imported files from the repository's code host. Throws a CodehostError if a retry may help: then
 * nothing is known about the configuration.
 */
export function importLoader(ctx: Context, build: ImportingBuild): Load {
  const shas = new Map<string, Promise<string | undefined>>()

  /** All imports of a build from one branch read the same commit (CF-41). */
  function shaOf(source: FoundRepository, { ref }: ImportTarget): Promise<string | undefined> {
    const isOwn = source.id === build.repository.id
    if (isOwn && ref === null) return Promise.resolve(build.sha)
    const name = ref ?? source.default_branch_name
    const key = `${source.id}@${name}`
    const sha = shas.get(key) ?? findSha(ctx, source, name)
    shas.set(key, sha)
    return sha
  }

  return async (target) => {
    const source = await findSource(ctx, build, target)
    if (!source) return missing
    if (source.id !== build.repository.id && source.private) {
      // Outsiders must not learn that the repository exists (CF-48).
      if (build.from_fork) return missing
      const refusal = await refusalFor(ctx, build.repository, source)
      if (refusal) return (await knows(ctx, build, source)) ? { kind: 'refused', refusal } : missing
    }
    return unlessRefused(async () => {
      const sha = await shaOf(source, target)
      return sha === undefined ? missing : readFile(ctx, source, target.path, sha)
    })
  }
}

const missing = { kind: 'missing' } as const

/** Whether the author of a build can see a private repository. */
async function knows(
  { db }: Context,
  { sender_id }: ImportingBuild,
  { id }: FoundRepository,
): Promise<boolean> {
  return (await rolesOn(db, [id], sender_id ?? undefined)).has(id)
}

function findSource(
  ctx: Context,
  { repository }: ImportingBuild,
  target: ImportTarget,
): Promise<FoundRepository | undefined> {
  const isOwn = slugOf(repository).toLowerCase() === target.repository.toLowerCase()
  if (isOwn) return Promise.resolve(repository)
  return findRepository(ctx.db, { slug: target.repository, provider: repository.provider })
}

/** Why a build must not import from the private repository (CF-44). */
async function refusalFor(
  ctx: Context,
  building: FoundRepository,
  source: FoundRepository,
): Promise<Refusal | undefined> {
  const repo = slugOf(source)
  if (!building.private) return { code: 'invalid_visibility', args: { repo } }
  const isSameOwner =
    building.owner_id === source.owner_id && building.owner_type === source.owner_type
  if (!isSameOwner) return { code: 'invalid_ownership', args: { owner: source.owner_name } }
  const { allow_config_imports } = await settingsOf(ctx.db, source.id)
  return allow_config_imports ? undefined : { code: 'import_not_allowed', args: { repo } }
}

async function findSha(
  ctx: Context,
  source: FoundRepository,
  name: string,
): Promise<string | undefined> {
  const { codehost, ref } = atCodehost(ctx, source)
  return (await codehost.commit(ref, name))?.sha
}

async function readFile(
  ctx: Context,
  source: FoundRepository,
  path: string,
  sha: string,
): Promise<Loaded> {
  const { codehost, ref } = atCodehost(ctx, source)
  const bytes = await codehost.file(ref, path, sha)
  if (!bytes) return missing
  return { kind: 'loaded', text: fileText(bytes), source: `${slugOf(source)}:${path}@${sha}`, sha }
}

/** A file that the code host refuses counts as missing. */
async function unlessRefused(load: () => Promise<Loaded>): Promise<Loaded> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return missing
    throw error
  }
}
