/**
 * What the clone program ends with where the disk of its machine is full. That is no result of the
 * job: it is run again. The same as EX_TEMPFAIL of sysexits.h.
 */
export const noRoomCode = 75
