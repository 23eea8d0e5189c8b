/** Cannot be loaded. */
throw new Error('This file cannot be loaded.');
