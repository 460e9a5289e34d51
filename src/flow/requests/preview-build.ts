import { type ConditionData, effortOfBuild } from '../../buildfile/conditions/data.ts'
import { CodehostError } from '../../codehost/codehost.ts'
import { ServiceError } from '../../domain/errors.ts'
import { refOf } from '../../domain/event.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { type ApiConfig, broughtConfigs } from '../../domain/request/request.ts'
import type { Done } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import { findRepository } from '../../store/repositories/repositories.ts'
import { buildFilePath } from '../build-file/config-read.ts'
import { fileText } from '../build-file/file-text.ts'
import { importLoader } from '../build-file/load-imports.ts'
import { type Preview, previewWork } from '../build-file/preview-work.ts'
import { publicVariables } from '../build-file/public-variables.ts'
import { readWithImports } from '../build-file/read-with-imports.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'

export interface PreviewedBuild {
  /** A branch, tag or commit; without one the default branch. */
  ref: string | undefined
  /** The user who requests the preview. */
  sender_id: number | null
  configs: readonly ApiConfig[]
  /** Overrides of the data that conditions are evaluated with; the rest is as in an API request. */
  data: ConditionData
}

/**
 * Previews the build of an API request, without storing anything. Throws a ReadingLimit if reading takes
 * too many resources, and an error if there is no such commit.
 */
export async function previewBuild(
  ctx: Context,
  repositoryId: number,
  { ref, configs, data, sender_id }: PreviewedBuild,
  turn: Turn,
): Promise<Done<Preview>> {
  const repository = await findRepository(ctx.db, { id: repositoryId })
  if (!repository) throw new ServiceError('client_error', 'the repository no longer exists')
  const found = await fromCodehost(() => sourceOf(ctx, repository, ref))
  if (!found && (ref !== undefined || configs.length === 0)) {
    throw new ServiceError('client_error', `there is no commit ${ref ?? 'to preview'}`)
  }
  if (!found?.own && configs.length === 0) {
    const message = `there is no ${buildFilePath} to preview in ${found?.sha ?? 'this repository'}`
    throw new ServiceError('client_error', message)
  }
  const branch = ref ?? repository.default_branch_name
  const input = {
    own: found?.own ?? null,
    brought: broughtConfigs(configs),
    repository: slugOf(repository),
    data: {
      type: 'api',
      repo: slugOf(repository),
      branch,
      tag: null,
      commit_message: found?.message ?? null,
      fork: repository.fork,
      head_repo: slugOf(repository),
      head_branch: branch,
      env: await publicVariables(ctx, repository, { branch, from_fork: false }),
      ...data,
      effort: effortOfBuild(),
    },
  }
  const sha = found?.sha ?? ''
  const load = importLoader(ctx, { repository, sha, from_fork: false, sender_id })
  const { result, spent } = await readWithImports(ctx, previewWork, input, {
    load: (target) => fromCodehost(() => load(target)),
    turn,
  })
  return { result: result.preview, spent }
}

/** The commit of a ref, with its build file if there is one. */
async function sourceOf(ctx: Context, repository: FoundRepository, ref: string | undefined) {
  const { codehost, ref: address } = atCodehost(ctx, repository)
  const name = ref ?? refOf('branch', repository.default_branch_name)
  const commit = await codehost.commit(address, name)
  if (!commit) return
  const { sha, message } = commit
  const bytes = await codehost.file(address, buildFilePath, sha)
  const source = `${slugOf(repository)}:${buildFilePath}@${sha}`
  const own = bytes ? { source, sha, text: fileText(bytes), merge_mode: null } : null
  return { sha, message, own }
}

/** Fails if the code host is unavailable, because a caller does not wait for it. */
async function fromCodehost<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    throw new ServiceError('unavailable', `the code host could not be queried: ${error.message}`)
  }
}
