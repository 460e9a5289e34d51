import { isRestartable } from '../../../domain/build.ts'
import { stateConflict } from '../../../domain/errors.ts'
import { cancelBuild } from '../../../flow/builds/cancel-build.ts'
import { restartBuild } from '../../../flow/builds/restart-build.ts'
import { noContent } from '../../core/answer.ts'
import { post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { canceling, restarting } from '../write-steps.ts'
import { oneBuild } from './build.ts'

export const buildWriteEndpoints = [
  post('/builds/:build/cancel', {
    ...oneBuild,
    ...canceling('build'),
    async act(call, build) {
      const canceled = await cancelBuild(call.ctx, actorOf(call), build.id)
      if (canceled.length === 0) throw stateConflict('build_not_cancelable', build)
    },
    present: noContent,
  }),

  post('/builds/:build/restart', {
    ...oneBuild,
    once: true,
    ...restarting('build', isRestartable),
    async act(call, build) {
      if (await restartBuild(call.ctx, actorOf(call), build.id)) return
      throw stateConflict('build_already_running', build)
    },
  }),
]
