import { json } from '../core/answer.ts'
import { answers } from './openapi/answers.ts'
import { notRestartable, refusals } from './refusals.ts'

type Subject = 'build' | 'job'

/** The steps shared by all endpoints that cancel. */
export const canceling = (type: Subject) => ({
  login: true,
  scope: 'builds' as const,
  right: 'cancel' as const,
  docs: {
    summary: `cancels a ${type}; needs the right to push`,
    status: 204 as const,
    fails: [`${type}_not_cancelable` as const],
  },
  refused: {
    status: 403 as const,
    answer: (_call: unknown, { id }: { id: number }) =>
      refusals.forbidden(`You don't have access to cancel ${type}(${id})`),
  },
})

/** The steps shared by all endpoints that restart; a refusal lists all obstacles. */
export const restarting = <R>(type: Subject, isPossible: (record: R) => boolean) => ({
  login: true,
  scope: 'builds' as const,
  right: 'restart' as const,
  docs: {
    summary: `restarts a ${type}; needs the right to push`,
    status: 202 as const,
    types: ['application/json'],
    schema: answers.restarted,
    fails: [`${type}_already_running` as const, 'not_restartable' as const],
  },
  refused: {
    status: 400 as const,
    answer: (_call: unknown, record: R) =>
      refusals.restart([
        'You do not seem to have sufficient permissions.',
        ...(isPossible(record) ? [] : [notRestartable(type)]),
      ]),
  },
  present: () => json({ result: true, flash: [{ notice: restarted(type) }] }, 202),
})

/** The message after a restart. */
export const restarted = (type: Subject) => `The ${type} was successfully restarted.`
