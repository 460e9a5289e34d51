import type { EnvVar } from '../../../domain/env-var.ts'
import { addEnvVar, changeEnvVar, removeEnvVar } from '../../../flow/secrets/env-vars.ts'
import type { Sealer } from '../../../secrets/seal.ts'
import { sealedIn } from '../../../secrets/sealed-records.ts'
import { envVarsOf, findEnvVar } from '../../../store/secrets/env-vars.ts'
import { type Call, del, get, patch, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
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
import {
  existing,
  oneStored,
  repositoryById,
  repositoryMissing,
  settingMissing,
  type Stored,
} from '../repository-settings.ts'

const paths = (rest = '') => [`/settings/env_vars${rest}`, `/repos/settings/env_vars${rest}`]

/** Steps for all variables of the repository that the parameters name. */
const ofRepository = {
  ...repositoryInQuery,
  login: true,
  right: 'write' as const,
  missing: repositoryMissing,
  refused: { status: 404 as const, answer: repositoryMissing },
}

/** Steps for one variable. The parameters can omit its repository, but must not name a different one. */
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
  // Without the repository, an id reveals nothing that the caller cannot see.
  refused: {
    status: 404 as const,
    answer: (call: Call, record: Stored<EnvVar>) =>
      isNamed(call) ? oneStored.refused.answer(call, record) : settingMissing(),
  },
}

const isNamed = ({ given }: Call) => given.repository_id !== undefined || given.slug !== undefined

/** The repository of a variable; optional, because the variable's id is enough. */
const ownRepository = inQuery({
  repository_id: text('the id of the repository; with it only its own variables are found'),
  slug: text('the slug of the repository, where its id is not given'),
})

const members = {
  env_var: memberRecord(),
  'env_var.value': variableValue(),
  'env_var.public': described('whether its value is shown, in logs too', settingFlag()),
  'env_var.branch': described('the only branch that gets the variable', textOrNull()),
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
    once: true,
    docs: {
      summary: 'adds a variable; needs the right to push',
      schema: answers.envVar,
      example: { repository_id: '1', env_var: { name: 'DATABASE', value: 'pg', public: true } },
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
      summary: 'updates the given fields of a variable; needs the right to push',
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

/** The value of a variable that is not public is never shown. */
function presentEnvVar(sealer: Pick<Sealer, 'openText'>, variable: EnvVar) {
  const { id, name, sealed_value, public: shown, branch, repository_id } = variable
  const value = () => sealer.openText(sealedIn.envVar(id), sealed_value)
  return { id, name, ...(shown ? { value: value() } : {}), public: shown, branch, repository_id }
}
