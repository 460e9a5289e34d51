import type { EnvVar } from '../../../domain/env-var.ts'
import { addEnvVar } from '../../../flow/add-env-var.ts'
import { changeEnvVar } from '../../../flow/change-env-var.ts'
import { removeEnvVar } from '../../../flow/remove-env-var.ts'
import { envVarsOf, findEnvVar } from '../../../store/env-vars.ts'
import { actorOf } from '../../actor.ts'
import { type Call, del, get, patch, post } from '../../endpoint.ts'
import {
  variableValue,
  changedVariableName,
  memberRecord,
  requiredVariableName,
  settingFlag,
  textOrNull,
} from '../../parameters/fields.ts'
import { text } from '../../parameters/kinds.ts'
import { described, inQuery } from '../../parameters/parameter.ts'
import { repositoryInQuery, repositoryNames } from '../one-repository.ts'
import { answers } from '../openapi/answers.ts'
import { presentEnvVar } from '../present/env-var.ts'
import {
  existing,
  oneStored,
  repositoryById,
  repositoryMissing,
  settingMissing,
  type Stored,
} from '../repository-settings.ts'

const paths = (rest = '') => [`/settings/env_vars${rest}`, `/repos/settings/env_vars${rest}`]

/** All variables of the repository that the query names. */
const ofRepository = {
  ...repositoryInQuery,
  login: true,
  right: 'write' as const,
  missing: repositoryMissing,
  refused: repositoryMissing,
}

/** One of them. Its repository may be left out, and must not be another one. */
const oneEnvVar = {
  ...oneStored,
  async find(call: Call): Promise<Stored<EnvVar> | undefined> {
    const variable = await findEnvVar(call.ctx.db, call.params.env_var ?? '')
    const repository = isNamed(call)
      ? await repositoryInQuery.find(call)
      : await repositoryById(call, variable?.repository_id ?? undefined)
    if (!repository) return
    const isItsOwn = variable?.repository_id === repository.id
    return { repository, stored: isItsOwn ? variable : undefined }
  },
  missing: (call: Call) => (isNamed(call) ? repositoryMissing() : settingMissing()),
  // Without its repository no one learns from an id what they cannot see.
  refused: (call: Call, record: Stored<EnvVar>) =>
    isNamed(call) ? oneStored.refused(call, record) : settingMissing(),
}

const isNamed = ({ query }: Call) => query.repository_id !== undefined || query.slug !== undefined

/** The repository of a variable, which its id alone names as well. */
const ownRepository = inQuery({
  repository_id: text('the id of the repository; with it only its own variables are found'),
  slug: text('the slug of the repository, where its id is not given'),
})

const members = {
  env_var: memberRecord(),
  'env_var.value': variableValue(),
  'env_var.public': described('whether its value is shown, in logs too', settingFlag()),
  'env_var.branch': described('the one branch that it is for', textOrNull()),
}

const shown = (variable: EnvVar, { ctx }: Call) => ({
  env_var: presentEnvVar(ctx.sealer, variable),
})

export const envVarEndpoints = [
  get(paths(), {
    ...ofRepository,
    accepts: repositoryNames,
    docs: {
      summary: 'the variables of a repository; needs the right to push',
      schema: answers.envVars,
    },
    act: ({ ctx }, { id }) => envVarsOf(ctx.db, id),
    present: (variables, { ctx }) => ({
      env_vars: variables.map((variable) => presentEnvVar(ctx.sealer, variable)),
    }),
  }),

  post(paths(), {
    ...ofRepository,
    docs: {
      summary: 'adds a variable; needs the right to push',
      schema: answers.envVar,
      example: { repository_id: 1, env_var: { name: 'DATABASE', value: 'pg', public: true } },
    },
    scope: 'settings',
    body: 'json',
    accepts: { ...repositoryNames, 'env_var.name': requiredVariableName(), ...members },
    act: (call, { id }, values) =>
      addEnvVar(call.ctx, actorOf(call), {
        repository_id: id,
        name: values['env_var.name'],
        value: values['env_var.value'] ?? '',
        public: values['env_var.public'] ?? false,
        branch: values['env_var.branch'] ?? null,
      }),
    present: (variable, call) => shown(variable, call),
  }),

  get(paths('/:env_var'), {
    ...oneEnvVar,
    right: 'existing',
    accepts: ownRepository,
    docs: { summary: 'a variable; needs the right to push', schema: answers.envVar },
    present: ({ stored }, call) => shown(existing(stored), call),
  }),

  patch(paths('/:env_var'), {
    ...oneEnvVar,
    right: 'existing',
    docs: {
      summary: 'changes what is sent of a variable; needs the right to push',
      schema: answers.envVar,
      example: { env_var: { value: 'sqlite' } },
    },
    scope: 'settings',
    body: 'json',
    accepts: { ...ownRepository, 'env_var.name': changedVariableName(), ...members },
    act: (call, { stored }, values) =>
      changeEnvVar(call.ctx, actorOf(call), existing(stored), {
        name: values['env_var.name'],
        value: values['env_var.value'],
        public: values['env_var.public'],
        branch: values['env_var.branch'],
      }),
    present: (changed, call) => shown(existing(changed), call),
  }),

  del(paths('/:env_var'), {
    ...oneEnvVar,
    right: 'existing',
    accepts: ownRepository,
    docs: {
      summary: 'removes a variable, and returns it; needs the right to push',
      schema: answers.envVar,
    },
    scope: 'settings',
    act: (call, { stored }) => removeEnvVar(call.ctx, actorOf(call), existing(stored)),
    present: (removed, call) => shown(existing(removed), call),
  }),
]
