const js = String.raw;

/** `lib/core/check.js` as it is in the end. */
export const CHECK_MODULE = js`'use strict'

const { InvalidArgumentError } = require('./errors')

// Checks of arguments. Each throws an InvalidArgumentError with the message of its caller, or does nothing.

function refuse (message) {
  throw new InvalidArgumentError(message)
}

module.exports = {
  function (value, message) {
    if (typeof value !== 'function') refuse(message)
  },

  string (value, message) {
    if (typeof value !== 'string') refuse(message)
  },

  object (value, message) {
    if (!value || typeof value !== 'object') refuse(message)
  },

  // Anything but undefined; null counts as given.
  defined (value, message) {
    if (value === undefined) refuse(message)
  },

  // Anything that is true as a condition.
  given (value, message) {
    if (!value) refuse(message)
  },

  unsupported (value, message) {
    if (value !== undefined) refuse(message)
  },

  positiveInteger (value, message) {
    if (!Number.isInteger(value) || value <= 0) refuse(message)
  },

  // Of the type, unless it is false as a condition.
  ifSet (value, type, message) {
    // eslint-disable-next-line valid-typeof
    if (value && typeof value !== type) refuse(message)
  },

  // Of the type, unless it is null or undefined. The same holds for all that follow.
  optional (value, type, message) {
    // eslint-disable-next-line valid-typeof
    if (value != null && typeof value !== type) refuse(message)
  },

  optionalInteger (value, min, message) {
    if (value != null && (!Number.isInteger(value) || value < min)) refuse(message)
  },

  optionalFinite (value, min, message) {
    if (value != null && (!Number.isFinite(value) || value < min)) refuse(message)
  },

  optionalPositive (value, message) {
    if (value != null && (!Number.isFinite(value) || value <= 0)) refuse(message)
  },

  // Infinity is allowed, and so is NaN, as it always was.
  optionalNumber (value, min, message) {
    if (value != null && (typeof value !== 'number' || value < min)) refuse(message)
  },

  connector (value) {
    if (value != null && typeof value !== 'function' && typeof value !== 'object') {
      refuse('connect must be a function or an object')
    }
  },

  signal (value) {
    if (value && typeof value.on !== 'function' && typeof value.addEventListener !== 'function') {
      refuse('signal must be an EventEmitter or EventTarget')
    }
  },

  notConnect (method) {
    if (method === 'CONNECT') refuse('invalid method')
  },

  agentOption (opts) {
    if (!opts || !opts.agent || typeof opts.agent.dispatch !== 'function') {
      refuse('Argument opts.agent must implement Agent')
    }
  }
}
`;

/** `lib/core/check.js` as first proposed. */
export const FIRST_CHECK_MODULE = js`'use strict'

const { InvalidArgumentError } = require('./errors')

function checkFunction (value, message) {
  if (typeof value !== 'function') {
    throw new InvalidArgumentError(message)
  }
}

function checkConnector (value) {
  if (value != null && typeof value !== 'function' && typeof value !== 'object') {
    throw new InvalidArgumentError('connect must be a function or an object')
  }
}

module.exports = { checkFunction, checkConnector }
`;

/** With a condition in optionalNumber that is too strict. */
export const STRICT_NUMBER = {
  before: `  // Infinity is allowed, and so is NaN, as it always was.
  optionalNumber (value, min, message) {
    if (value != null && (typeof value !== 'number' || value < min)) refuse(message)
  },
`,
  strict: `  optionalNumber (value, min, message) {
    if (value != null && !(value >= min)) refuse(message)
  },
`,
};

export const SECOND_CHECK_MODULE = CHECK_MODULE.replace(STRICT_NUMBER.before, STRICT_NUMBER.strict);
