import { isRestartable } from '../../../domain/build.ts'
import { stateConflict } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { cancelBuild } from '../../../flow/builds/cancel-build.ts'
import { restartBuild } from '../../../flow/builds/restart-build.ts'
import type { Call } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { refusedBuildRestart } from '../../views/refused-restart.ts'
import { changing } from '../core/accepted.ts'
import { actionsOf, get, post } from '../core/action.ts'
import { as } from '../core/presented.ts'
import type { Models } from '../core/resource.ts'
import { oneBuild } from '../records/one-build.ts'
import { findShownBuild } from '../render/shown.ts'
import { build } from './build.ts'

type BuildModel = Models['build']

const changed = { ...oneBuild, login: true, scope: 'builds' } as const

/** The build as it is after a change. */
const again = async (call: Call, before: BuildModel) => (await oneBuild.find(call)) ?? before

/** The steps shared by actions that rerun a finished build, or a build that already waits to be rerun. */
const restarted = {
  ...changed,
  right: 'restart',
  async conflict(_call: Call, found: BuildModel) {
    return found.state === 'created' || isRestartable(found)
      ? undefined
      : refusedBuildRestart(found)
  },
} as const

/** Reruns jobs of a build. A build of which no job has started stays as it is, because it will run anyway. */
async function restart(call: Call, before: BuildModel, only: 'all' | 'failed') {
  if (before.state === 'created') return before
  const restarted = await restartBuild(call.ctx, actorOf(call), before.id, { only })
  if (!restarted) throw refusedBuildRestart(before)
  return again(call, before)
}

export const buildActions = actionsOf(build, {
  find: get('/build/{build.id}', {
    ...oneBuild,
    find: findShownBuild,
    right: 'read',
    docs: { summary: 'a build with its commit, its stages and the ids of its jobs' },
    present: as('standard', build),
  }),
  cancel: post('/build/{build.id}/cancel', {
    ...changed,
    right: 'cancel',
    conflict: async (_call, found) =>
      isFinished(found) ? stateConflict('build_not_cancelable', found) : undefined,
    async act(call, before): Promise<BuildModel> {
      const canceled = await cancelBuild(call.ctx, actorOf(call), before.id)
      if (canceled.length === 0) throw stateConflict('build_not_cancelable', before)
      return again(call, before)
    },
    docs: {
      summary: 'cancels all unfinished jobs of a build; needs the right to push',
      fails: ['build_not_cancelable'],
    },
    present: changing(build, 'cancel'),
  }),
  restart: post('/build/{build.id}/restart', {
    ...restarted,
    once: true,
    act: (call, before): Promise<BuildModel> => restart(call, before, 'all'),
    docs: {
      summary:
        'restarts all jobs of a finished build; changes nothing in the state `created`; needs the right to push',
      fails: ['build_already_running', 'not_restartable'],
    },
    present: changing(build, 'restart'),
  }),
  restart_failed: post('/build/{build.id}/restart_failed', {
    ...restarted,
    once: true,
    act: (call, before): Promise<BuildModel> => restart(call, before, 'failed'),
    docs: {
      summary:
        'restarts those jobs of a finished build that did not pass; changes nothing in the state `created`; needs the right to push',
      fails: ['build_already_running', 'not_restartable'],
    },
    present: changing(build, 'restart'),
  }),
  // There are no priorities, so no one has the right.
  priority: post('/build/{build.id}/priority', {
    ...changed,
    right: 'prioritize',
    docs: { summary: 'always refused, because builds have no priority in this service' },
    present: as('minimal', build),
  }),
})
