import { type Codehost, CodehostError, type RepositoryRef } from '../../codehost/codehost.ts'
import { type FoundRepository, slugOf } from '../../domain/repository.ts'
import { type OtherBuildFile, otherBuildFile } from '../../domain/request/other-build-files.ts'
import { broughtConfigs, type Request } from '../../domain/request/request.ts'
import { nowhere } from '../../domain/request/superseded-push.ts'
import type { Settings } from '../../domain/settings.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import { hadBuildFile } from '../../store/requests/raw-configs.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { turnOf } from '../repositories/store-owner.ts'
import { isYounger, longestLag, notShownYet } from '../requests/age.ts'
import { buildFilePath } from './config-read.ts'
import { fileText } from './file-text.ts'
import { importLoader } from './load-imports.ts'
import { type BuildPlan, type PlannedEvent, planBuild } from './plan-build.ts'
import { type PlanInput, planWork } from './plan-work.ts'
import { readWithImports } from './read-with-imports.ts'

export interface ReadPlanInput {
  repository: FoundRepository
  request: Request
  sha: string
  event: PlannedEvent
  settings: Settings
  /** Whether the commit is known to exist, so that a missing build file needs no such check. */
  isKnown?: boolean
}

/** The texts that are not imported. */
type Texts = Pick<PlanInput, 'own' | 'brought'>

/** Milliseconds that a request waits for an unreachable code host. */
const longestWait = 12 * 60 * 60_000

/**
 * Reads the build file and its imports, at the commit to build (CF-01), and plans the build. Throws
 * the error of an unreachable code host as long as the request can wait for it.
 */
export async function readPlan(ctx: Context, input: ReadPlanInput): Promise<BuildPlan> {
  const { repository, request, sha, event, settings } = input
  const brought = broughtConfigs(request.sources)
  try {
    const { codehost, ref } = atCodehost(ctx, repository)
    const bytes = await codehost.file(ref, buildFilePath, sha)
    if (!bytes && brought.length > 0) return await planOf(ctx, input, { own: null, brought })
    if (!bytes) {
      if (!input.isKnown) await expectCommit(ctx, input, codehost, ref)
      const lost = await isLost(request, codehost, ref)
      const before = lost || (await hadBuildFile(ctx.db, repository.id))
      const other = before ? null : await otherFile(codehost, ref, sha)
      return planBuild({ kind: 'missing', before, lost, other }, event, settings)
    }
    const source = `${slugOf(repository)}:${buildFilePath}@${sha}`
    const own = { source, sha, text: fileText(bytes), merge_mode: null }
    return await planOf(ctx, input, { own, brought })
  } catch (error) {
    if (!(error instanceof CodehostError)) throw error
    if (error.temporary && (await isYounger(ctx, input.request, longestWait))) throw error
    ctx.log.warn(
      { repository_id: repository.id, sha, err: error },
      'build file could not be fetched',
    )
    return planBuild({ kind: 'unreachable', reason: error.message }, event, settings)
  }
}

/**
 * Throws while the code host may lag behind the event that named the commit: it reads from replicas, and its
 * response for a commit that they lack is the same as for a missing file.
 */
async function expectCommit(
  ctx: Context,
  { request, sha }: ReadPlanInput,
  codehost: Codehost,
  ref: RepositoryRef,
): Promise<void> {
  if (!(await isYounger(ctx, request, longestLag)) || (await codehost.commit(ref, sha))) return
  throw notShownYet(sha)
}

/** Whether the base of a pull request, or the commit before a push, had a build file. */
async function isLost(
  { event_type, base_commit, before_sha }: Request,
  codehost: Codehost,
  ref: RepositoryRef,
): Promise<boolean> {
  const sha = event_type === 'pull_request' ? base_commit : before_sha
  if (sha === null || sha === nowhere) return false
  return (await codehost.file(ref, buildFilePath, sha)) !== undefined
}

/** A file mistaken for the build file. It is only a hint for users: errors do not affect the decision. */
async function otherFile(
  codehost: Codehost,
  ref: RepositoryRef,
  sha: string,
): Promise<OtherBuildFile | null> {
  try {
    const entries = await codehost.tree(ref, '', sha)
    return otherBuildFile((entries ?? []).map(({ name }) => name))
  } catch (error) {
    if (error instanceof CodehostError) return null
    throw error
  }
}

/** The plan of a file, or an unusable plan with the reason if reading takes too many resources. */
async function planOf(ctx: Context, input: ReadPlanInput, texts: Texts): Promise<BuildPlan> {
  const { repository, request, sha, event, settings } = input
  const { from_fork, sender_id } = request
  const load = importLoader(ctx, { repository, sha, from_fork, sender_id })
  try {
    const read = { ...texts, repository: slugOf(repository), event, settings }
    const terms = { load, turn: turnOf(repository) }
    const { result } = await readWithImports(ctx, planWork, read, terms)
    return result.plan
  } catch (error) {
    if (!(error instanceof ReadingLimit)) throw error
    ctx.log.warn({ repository_id: repository.id, sha }, 'build file takes too much to read')
    const reason = `${buildFilePath} cannot be used: ${error.message}`
    const { own, brought } = texts
    const raw = [...brought, ...(own ? [own] : [])]
    const found = { reason, says: reason, source: null, rest: null, messages: [], raw }
    return planBuild({ kind: 'broken', error: 'too_costly', ...found }, event, settings)
  }
}
