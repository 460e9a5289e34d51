import { buildRights, jobRights } from '../../../access/build-rights.ts'
import type { Viewer } from '../../../access/viewer.ts'
import { type Build, isRestartable } from '../../../domain/build.ts'
import { stateConflict } from '../../../domain/errors.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import { restartBuild } from '../../../flow/builds/restart-build.ts'
import { restartJob } from '../../../flow/jobs/restart-job.ts'
import {
  findSeenBuild,
  findSeenJob,
  type InRepository,
} from '../../../store/repositories/repository-access.ts'
import { type Call, givenIn, post } from '../../core/endpoint.ts'
import { findRecord } from '../../core/path-id.ts'
import { actorOf } from '../../identity/actor.ts'
import { id } from '../../parameters/kinds.ts'
import { described } from '../../parameters/parameter.ts'
import { answers } from '../openapi/answers.ts'
import { restarted, restarting } from '../write-steps.ts'

/** The record to restart. */
type Restarted =
  | { type: 'build'; record: InRepository<Build> }
  | { type: 'job'; record: InRepository<Job> }

async function find(call: Call): Promise<Restarted | undefined> {
  const { build_id, job_id } = givenIn(call)
  if (build_id !== undefined) {
    const record = await findRecord(call, textOf(build_id), findSeenBuild)
    return record && { type: 'build', record }
  }
  const record = await findRecord(call, textOf(job_id), findSeenJob)
  return record && { type: 'job', record }
}

const textOf = (given: unknown) =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : undefined

const isPossible = ({ type, record }: Restarted) =>
  type === 'build' ? isRestartable(record) : isFinished(record)

/** The old form of a restart: of a build, or else of a job. Requesting builds needs V3. */
export const requestRestartEndpoints = [
  post('/requests', {
    login: true,
    scope: 'builds',
    once: true,
    type: 'request',
    accepts: {
      build_id: described('the id of a build', id()),
      job_id: described('the id of a job, unless that of a build is given', id()),
    },
    docs: {
      summary: 'restarts a build or a job; needs the right to push',
      example: { build_id: 1 },
      schema: answers.restarted,
      fails: ['build_already_running', 'job_already_running', 'not_restartable'],
    },
    find,
    rights: (viewer: Viewer, { type, record }: Restarted) =>
      type === 'build' ? buildRights(viewer, record) : jobRights(viewer, record),
    right: 'restart',
    refused: {
      status: 400,
      answer: (call, given) =>
        restarting<Restarted>(given.type, isPossible).refused.answer(call, given),
    },
    async act(call, { type, record }) {
      const restart = type === 'build' ? restartBuild : restartJob
      if (await restart(call.ctx, actorOf(call), record.id)) return type
      throw stateConflict(`${type}_already_running`, record)
    },
    present: (type) => ({ result: true, flash: [{ notice: restarted(type) }] }),
  }),
]
