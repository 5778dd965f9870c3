import { greet } from '../src/greet.mjs';
import { loadUser } from '../src/users.mjs';

if (greet('1') !== `Hello, ${loadUser('1').name}!`) throw new Error('greet');
