import {
  changedVariableName,
  requiredVariableName,
  settingFlag,
  variableValue,
} from '../../parameters/fields.ts'
import { described } from '../../parameters/parameter.ts'

/** Fields of a new variable, for a single repository or for all repositories of an owner. */
export const newVariable = {
  name: described('its name in jobs', requiredVariableName()),
  value: described(
    'the value, which is never shown again unless it is public; empty by default',
    variableValue(),
  ),
  public: described(
    'whether the value is shown, over the API and in logs; false by default',
    settingFlag(),
  ),
}

/** Fields that change a variable. */
export const changedVariable = {
  name: described('its name in jobs', changedVariableName()),
  value: described('the value, which is never shown again unless it is public', variableValue()),
  public: described('whether the value is shown, over the API and in logs', settingFlag()),
}
